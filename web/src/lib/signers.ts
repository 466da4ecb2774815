/**
 * The wallets and devices that people sign with: which form of proof each is offered (proofs, section 3), how a file over
 * one's coins comes out of it, and what it shows. Read from their own sources in November 2026; no device was run.
 */

import type { CodeForm } from './qr/codes';

/** The carrier of a statement: a BIP-0322 proof of funds, or a still transaction (proofs, section 2). */
export type Form = 'message' | 'transaction';

/** What a command is written with. */
export interface CommandValues {
  /** The arguments of Bitcoin Core's program for the network of this site: nothing on mainnet. */
  network: string;
  /** The name of the file to sign. */
  file: string;
}

/** A step in words, or a step that ends in a line to copy. */
export type Step = string | { text: string; command: (values: CommandValues) => string };

export interface Signer {
  id: string;
  name: string;
  kind: 'program' | 'device';
  /** The form that it is offered; null when it can sign neither at present. */
  form: Form | null;
  /** How a file over the coins comes out of it, not signed yet. */
  coins: Step[];
  /** How the made file is signed. */
  sign: Step[];
  /** The form of animated QR codes that it reads, and what reads them; nothing for those without a camera. */
  codes?: { form: CodeForm; by: string };
  /** What it shows the person who signs, or what is special about it. */
  shows: string;
  /** Why it may fail, or does. */
  trouble?: string;
}

const OWN_ADDRESS = 'The amount and the address do not matter: this page makes the file anew, and gives every address back what it had.';

const CORE_COINS: Step[] = [
  {
    text: 'All coins of your wallet, as one line for a terminal. Nothing is signed by it.',
    command: ({ network }) =>
      `bitcoin-cli${network} walletprocesspsbt "$(bitcoin-cli${network} createpsbt "$(bitcoin-cli${network} listunspent)" '[{"data":"00"}]')" false`,
  },
  'Copy its whole answer and paste it here.',
  'In the window of Bitcoin Core instead: turn on "Enable PSBT controls" in the wallet settings, choose the coins on the Send tab, send them to an address of your own, and press Create Unsigned.',
];

const SPARROW_COINS: Step[] = [
  'On the UTXOs tab of Sparrow select the coins that you want to prove and press Send Selected.',
  `Pay to any address of your own, press Max, and then Create Transaction. ${OWN_ADDRESS}`,
  'Press Finalize Transaction for Signing. Do not sign. Choose File, Save PSBT, As Binary in the menu.',
];
const IN_SPARROW: Step[] = ['Open the wallet of your device in Sparrow, or in another program that you use with it.', ...SPARROW_COINS];
const SPARROW_SIGN: Step[] = [
  'Open the made file in Sparrow (File, Open Transaction), and sign it there with your keys or your device.',
  'Save the signed file (File, Save PSBT, As Binary), and bring it back here.',
];

const OWN_PROGRAM: Step[] = [
  'In the program, prepare a transfer of the coins that you want to prove to an address of your own.',
  `Save it as a PSBT file instead of signing and sending it. ${OWN_ADDRESS}`,
];
const OWN_PROGRAM_SIGN: Step[] = ['Open the made file in the program, sign it, and save what comes out.', 'Bring that file back here.'];

/** Above each row stands where its behaviour was read. */
export const SIGNERS: Signer[] = [
  // https://github.com/bitcoin/bitcoin/blob/HEAD/src/wallet/rpc/spend.cpp
  {
    id: 'bitcoin-core',
    name: 'Bitcoin Core',
    kind: 'program',
    form: 'message',
    coins: CORE_COINS,
    sign: [
      {
        text: 'Sign the made file. The answer is the signed one: copy it and paste it here.',
        command: ({ network, file }) => `bitcoin-cli${network} walletprocesspsbt "$(base64 < ${file} | tr -d '\\n')"`,
      },
      'In the window of Bitcoin Core instead: File, Load PSBT from file, Sign Tx, and Save.',
    ],
    shows: 'It signs without asking. Knots, its sister, does as well.',
  },
  // https://github.com/sparrowwallet/sparrow/blob/HEAD/src/main/java/com/sparrowwallet/sparrow/transaction/HeadersController.java
  {
    id: 'sparrow',
    name: 'Sparrow',
    kind: 'program',
    codes: { form: 'ur', by: 'Sparrow (File, Open Transaction, From QR Code)' },
    form: 'transaction',
    coins: SPARROW_COINS,
    sign: SPARROW_SIGN,
    shows: 'The same addresses with the same amounts, a fee of 0, and an output with your statement.',
  },
  // https://github.com/spesmilo/electrum/blob/HEAD/electrum/transaction.py
  {
    id: 'electrum',
    name: 'Electrum',
    kind: 'program',
    form: 'transaction',
    coins: [
      'On the Coins tab mark the coins that you want to prove and choose Add to coin control.',
      `On the Send tab write an address of your own and ! as the amount, press Pay, and then Preview. ${OWN_ADDRESS}`,
      'Do not press Sign. Press Export (Share in newer versions), Export to file.',
    ],
    sign: ['Open the made file in Electrum (Tools, Load transaction, From file), and press Sign.', 'Press Export, Export to file, and bring that file back here.'],
    shows: 'The same addresses with the same amounts, a fee of 0, the lock time 452038930, and your statement.',
  },
  // https://github.com/Coldcard/firmware/blob/HEAD/shared/psbt.py
  {
    id: 'coldcard',
    name: 'Coldcard',
    kind: 'device',
    codes: { form: 'bbqr', by: 'a Coldcard Q' },
    form: 'message',
    coins: IN_SPARROW,
    sign: ['Carry the made file to the Coldcard, by card or cable, and choose Ready To Sign.', 'Bring the signed file back here.'],
    shows: 'It says "Proof of Reserves" and shows your statement. It needs firmware 5.5.1 (Mk) or 1.4.1Q (Q) or newer for that; an older one signs the still transaction.',
  },
  // https://github.com/LedgerHQ/app-bitcoin-new/blob/HEAD/src/handler/sign_psbt.c
  {
    id: 'ledger',
    name: 'Ledger',
    kind: 'device',
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'Your receiving addresses are shown as ordinary payments, each with what it has now; approve only those. At most ten addresses can be change.',
  },
  // https://github.com/trezor/trezor-firmware/blob/HEAD/core/src/apps/bitcoin/sign_tx/layout.py
  {
    id: 'trezor',
    name: 'Trezor',
    kind: 'device',
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'It says "Locktime set to blockheight 452038930", shows your statement, and warns when there are more than two addresses of your own.',
  },
  // https://github.com/Blockstream/Jade/blob/HEAD/main/process/sign_psbt.c
  {
    id: 'jade',
    name: 'Blockstream Jade',
    kind: 'device',
    codes: { form: 'ur', by: 'your Jade' },
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'It shows the first 58 characters of your statement, and a fee of 0.',
  },
  // https://github.com/KeystoneHQ/keystone3-firmware/blob/HEAD/rust/apps/bitcoin/src/transactions/psbt/wrapped_psbt.rs
  {
    id: 'keystone',
    name: 'Keystone 3',
    kind: 'device',
    codes: { form: 'ur', by: 'your Keystone' },
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'Your own addresses with what they have now, a fee of 0, and your statement.',
  },
  // https://github.com/cryptoadvance/specter-diy/blob/HEAD/src/apps/wallets/manager.py
  {
    id: 'specter-diy',
    name: 'Specter-DIY',
    kind: 'device',
    codes: { form: 'ur', by: 'your Specter-DIY' },
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'Your own addresses with what they have now, a fee of 0, and your statement.',
  },
  // https://github.com/SeedSigner/seedsigner/blob/HEAD/src/seedsigner/models/psbt_parser.py
  {
    id: 'seedsigner',
    name: 'SeedSigner',
    kind: 'device',
    codes: { form: 'ur', by: 'your SeedSigner' },
    form: 'transaction',
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: 'Version 0.8 leaves out the first letter and shows "roof of Reserves": a known fault of its display, the file is right.',
  },
  // https://github.com/BlueWallet/BlueWallet/blob/HEAD/class/wallets/abstract-hd-electrum-wallet.ts
  {
    id: 'bluewallet',
    name: 'BlueWallet',
    kind: 'program',
    codes: { form: 'ur', by: 'BlueWallet' },
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: OWN_PROGRAM_SIGN,
    shows: 'Your own addresses with what they have now.',
  },
  // https://github.com/cryptoadvance/specter-desktop/blob/HEAD/src/cryptoadvance/specter/util/psbt.py
  {
    id: 'specter-desktop',
    name: 'Specter Desktop',
    kind: 'program',
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: OWN_PROGRAM_SIGN,
    shows: 'Your own addresses with what they have now.',
  },
  // https://github.com/nunchuk-io/nunchuk-android/issues/76
  {
    id: 'nunchuk',
    name: 'Nunchuk',
    kind: 'program',
    codes: { form: 'ur', by: 'Nunchuk' },
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: OWN_PROGRAM_SIGN,
    shows: 'Your own addresses with what they have now.',
    trouble: 'It may refuse the file: an open report says that it cannot. If it does, sign with the same keys in Sparrow.',
  },
  // https://github.com/Foundation-Devices/passport2/blob/HEAD/ports/stm32/boards/Passport/modules/psbt.py
  {
    id: 'passport',
    name: 'Passport',
    kind: 'device',
    codes: { form: 'ur', by: 'your Passport' },
    form: null,
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: '',
    trouble: 'Passport Core 2.3 refuses the length of the line that carries your statement, and does not sign messages over coins.',
  },
  // https://github.com/bitcoin-core/HWI/blob/HEAD/hwilib/devices/bitbox02.py
  {
    id: 'bitbox02',
    name: 'BitBox02',
    kind: 'device',
    form: null,
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: '',
    trouble: 'The device could sign it from version 9.24 on, but the programs that carry files to it refuse an output with a statement.',
  },
  // https://github.com/selfcustody/krux/blob/HEAD/src/krux/psbt.py
  {
    id: 'krux',
    name: 'Krux',
    kind: 'device',
    codes: { form: 'ur', by: 'your Krux' },
    form: null,
    coins: IN_SPARROW,
    sign: SPARROW_SIGN,
    shows: '',
    trouble: 'Krux 26.04 refuses every output with a statement. Another device or program with the same seed can sign the file.',
  },
  // https://github.com/wizardsardine/liana/blob/HEAD/liana-gui/src/app/state/psbt.rs
  {
    id: 'liana',
    name: 'Liana',
    kind: 'program',
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: ['Do not open the made file in Liana, which fails on it. Sign it with your device in Sparrow or another program.', 'Bring the signed file back here.'],
    shows: 'What your device shows: your own addresses with what they have now, and a fee of 0.',
  },
  // https://github.com/caravan-bitcoin/caravan
  {
    id: 'caravan',
    name: 'Caravan',
    kind: 'program',
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: ['Caravan does not send to the addresses that it spends from, so sign the made file with your devices in another program.', 'Bring the signed files back here.'],
    shows: 'What your device shows: your own addresses with what they have now, and a fee of 0.',
  },
  // https://github.com/WalletWasabi/WalletWasabi
  {
    id: 'wasabi',
    name: 'Wasabi',
    kind: 'program',
    form: 'transaction',
    coins: OWN_PROGRAM,
    sign: ['Wasabi broadcasts what it signs, which no node would take: sign the made file with your device in another program.', 'Bring the signed file back here.'],
    shows: 'What your device shows: your own addresses with what they have now, and a fee of 0.',
  },
];

/** A wallet that is not in the table: what it is offered is what most can sign (BIP-174). */
export const ANOTHER: Signer = {
  id: 'another',
  name: 'Another wallet',
  kind: 'program',
  form: 'transaction',
  coins: OWN_PROGRAM,
  sign: OWN_PROGRAM_SIGN,
  shows: 'Your own addresses with what they have now, a fee of 0, and your statement. Approve nothing else.',
};

/** The signer with this id; another wallet when there is none. */
export function signerOf(id: string | null): Signer {
  return SIGNERS.find((signer) => signer.id === id) ?? ANOTHER;
}

/** The form of QR codes that a signer is shown first; most read UR. */
export function codesOf({ codes }: Signer): CodeForm {
  return codes?.form ?? 'ur';
}

const FORM_NAMES: Record<CodeForm, string> = { bbqr: 'BBQr', ur: 'UR' };

/** How the made file is signed, and how that is done by QR codes. */
export function signingSteps({ sign, codes }: Signer): Step[] {
  if (!codes) return sign;
  const { form, by } = codes;
  return [
    ...sign,
    `By QR codes instead: press Show QR Codes beside the made file, let ${by} read them (${FORM_NAMES[form]}), sign, and press Scan QR Codes to read what it shows then.`,
  ];
}

const CORE_NETWORKS: Record<string, string> = { testnet: ' -testnet', signet: ' -signet', regtest: ' -regtest' };

/** The arguments that take Bitcoin Core's program to a network. */
export function coreArguments(network: string): string {
  return CORE_NETWORKS[network] ?? '';
}
