"""Answers the cases of `psbt-wasm vectors` with btclib (verifies) and embit (signs PSBTs): cases.json in, answers.json out."""

import json
import sys

from btclib import b58, bip322
from btclib.exceptions import InconclusiveError
from btclib.psbt import Psbt
from embit import bip32, bip39, psbt

# The types of address that btclib signs for.
ONE_KEY = ("p2pkh", "p2sh-p2wpkh", "p2wpkh", "p2tr")


def verdict(case):
    try:
        bip322.assert_as_valid(case["message"].encode(), case["address"], case["signature"])
    except InconclusiveError:
        return "inconclusive"
    # Each way of being wrong has an exception of its own.
    except Exception:
        return "invalid"
    # btclib leaves the locks to its caller.
    return True


def signature(case, masters):
    if case["psbt"] is None:
        if case["script"] not in ONE_KEY:
            return ""
        key = b58.prv_key_data_from_wif(case["keys"][0]["key"])
        return bip322.sign(case["message"].encode(), key, case["address"]).b64encode()
    signed = psbt.PSBT.from_string(case["psbt"])
    for master in masters:
        signed.sign_with(master)
    return signed.to_string()


def refusal(case):
    is_message = bip322.signed_message(Psbt.b64decode(case["psbt"])) is not None
    return "" if is_message else "refused"


cases = json.load(sys.stdin)
masters = [bip32.HDKey.from_seed(bip39.mnemonic_to_seed(words)) for words in cases["seeds"]]
tasks = {"verify": verdict, "sign": lambda case: signature(case, masters), "refuse": refusal}
json.dump({case["id"]: tasks[case["task"]](case) for case in cases["cases"]}, sys.stdout)
