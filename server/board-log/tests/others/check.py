"""Checks what the crate checks, by code of its own: Python's standard library, and Ed25519 as RFC 8032 writes it (section 5.1.7).

Cases are lines of JSON on standard input, verdicts lines on standard output: true or false."""

import base64
import hashlib
import json
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = recover_x(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, p):
    product = (0, 1, 1, 0)
    while number:
        if number & 1:
            product = add(product, p)
        p = add(p, p)
        number >>= 1
    return product


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def is_signed(key, message, signature):
    if len(signature) != 64 or len(key) != 32:
        return False
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    one, other = times(s, BASE), add(r, times(h, a))
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def exact(text):
    data = base64.b64decode(text, validate=True)
    assert base64.b64encode(data).decode() == text
    return data


def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def key_of(text, kind):
    name, key_id, key = text.split("+", 2)
    data = exact(key)
    assert data[0] == kind and len(data) == 33
    assert digest(name.encode() + b"\n", data)[:4].hex() == key_id
    return name, bytes.fromhex(key_id), data[1:]


def note_of(text):
    assert not any(ord(letter) < 32 and letter != "\n" for letter in text) and text.endswith("\n")
    body, lines = text.rsplit("\n\n", 1)
    signatures = []
    for line in lines[:-1].split("\n"):
        dash, name, signature = line.split(" ")
        data = exact(signature)
        assert dash == "\u2014" and name and "+" not in name and len(data) > 4
        signatures.append((name, data[:4], data[4:]))
    return body + "\n", signatures


def opened(text, key):
    name, key_id, public = key_of(key, 1)
    body, signatures = note_of(text)
    own = [signature for other, other_id, signature in signatures if (other, other_id) == (name, key_id)]
    assert own and is_signed(public, body.encode(), own[0])
    return body


def leaf(data):
    return digest(b"\0", data)


def node(left, right):
    return digest(b"\1", left, right)


def split(count):
    """The largest power of two below it."""
    return 1 << (count - 1).bit_length() - 1


def root_over(leaves):
    if not leaves:
        return digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = split(len(leaves))
    return node(root_over(leaves[:middle]), root_over(leaves[middle:]))


def root_from(data, index, size, path):
    """RFC 6962, section 2.1.1, from the root down."""
    assert 0 <= index < size
    if size == 1:
        assert not path
        return leaf(data)
    middle = split(size)
    if index < middle:
        return node(root_from(data, index, middle, path[:-1]), path[-1])
    return node(path[-1], root_from(data, index - middle, size - middle, path[:-1]))


def roots_from(old, size, proof, old_root, whole=True):
    """RFC 6962, section 2.1.2: the roots of the old tree and of the new one."""
    if old == size:
        if whole:
            assert not proof
            return old_root, old_root
        (only,) = proof
        return only, only
    middle = split(size)
    if old <= middle:
        before, left = roots_from(old, middle, proof[:-1], old_root, whole)
        return before, node(left, proof[-1])
    before, right = roots_from(old - middle, size - middle, proof[:-1], old_root, False)
    return node(proof[-1], before), node(proof[-1], right)


def hashes(texts):
    found = [exact(text) for text in texts]
    assert all(len(each) == 32 for each in found)
    return found


def receipt(text, key):
    head, checkpoint = text.split("\n\n", 1)
    title, more, place, *path = head.split("\n")
    assert title == "c2sp.org/tlog-proof@v1" and more.startswith("extra ") and place.startswith("index ")
    spelled = exact(more[len("extra ") :]).decode()
    extra = json.loads(spelled)
    assert list(extra) == ["entry", "row", "index", "path"]
    assert json.dumps(extra, ensure_ascii=False, separators=(",", ":")) == spelled
    origin, size, root = opened(checkpoint, key).split("\n")[:3]
    assert key.startswith(origin + "+")
    index = int(place[len("index ") :])
    assert place == f"index {index}"
    assert root_from(extra["entry"].encode(), index, int(size), hashes(path)) == exact(root)
    entry = json.loads(extra["entry"])
    assert entry["kind"] == "board"
    found = root_from(extra["row"].encode(), extra["index"], entry["rows"], hashes(extra["path"]))
    assert found == bytes.fromhex(entry["root"])


def cosigned(text, key):
    name, key_id, public = key_of(key, 4)
    body, signatures = note_of(text)
    for other, other_id, signature in signatures:
        time = int.from_bytes(signature[:8], "big")
        message = f"cosignature/v1\ntime {time}\n{body}".encode()
        if (other, other_id) == (name, key_id) and 0 < time < 2**63 and is_signed(public, message, signature[8:]):
            return
    raise AssertionError


def snapshot(text, root):
    leaves = []
    for line in text[:-1].split("\n")[1:]:
        gone = json.loads(line).get("withdrawn")
        leaves.append(leaf(line.encode()) if gone is None else bytes.fromhex(gone))
    assert root_over(leaves).hex() == root


def growth(old, new, proof):
    roots = roots_from(old["size"], new["size"], hashes(proof), exact(old["root"]))
    assert roots == (exact(old["root"]), exact(new["root"]))


KINDS = {
    "note": lambda it: opened(it["text"], it["key"]),
    "receipt": lambda it: receipt(it["text"], it["key"]),
    "cosigned": lambda it: cosigned(it["text"], it["key"]),
    "snapshot": lambda it: snapshot(it["text"], it["root"]),
    "growth": lambda it: growth(it["old"], it["new"], it["proof"]),
}


def check(it):
    try:
        KINDS[it["kind"]](it)
        return True
    except (AssertionError, ValueError, IndexError, KeyError, TypeError, AttributeError):
        return False


for case in sys.stdin:
    print(str(check(json.loads(case))).lower())
