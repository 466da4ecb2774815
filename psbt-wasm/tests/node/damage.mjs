// Files with something wrong in them.

/** Numbers below a bound, the same ones in every run (xorshift32). */
export function generator(seed) {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** A seed with one to three bytes changed, removed or inserted. */
export function damaged(seeds, random) {
  let file = Array.from(seeds[random(seeds.length)]);
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const at = random(file.length);
    const kind = random(8);
    if (kind < 5) file[at] ^= 1 << random(8);
    else if (kind === 5) file.splice(at, 1 + random(4));
    else if (kind === 6) file.splice(at, 0, random(256));
    else file = file.slice(0, at + 1);
  }
  return Uint8Array.from(file);
}
