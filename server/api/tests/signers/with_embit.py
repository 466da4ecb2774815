"""Signs PSBTs with embit. Each line of standard input is a master key (BIP-0032) and a PSBT in base64; each of the output the same PSBT, signed."""

import sys

from embit.bip32 import HDKey
from embit.psbt import PSBT

for line in sys.stdin.readlines():
    key, text = line.split()
    psbt = PSBT.from_string(text)
    assert psbt.sign_with(HDKey.from_string(key)) > 0, "nothing was signed"
    print(psbt.to_string())
