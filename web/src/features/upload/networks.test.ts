import { expect, test } from 'vitest';
import { otherNetwork, otherNetworkText } from './networks';

test.each([
  ['testnet', 'mainnet', 'testnet'],
  ['mainnet', 'regtest', 'mainnet'],
  ['mainnet', 'mainnet', null],
  ['testnet', 'signet', null],
  [null, 'mainnet', null],
] as const)('a file whose keys say %s, on a board of %s: %s', (networkHint, network, expected) => {
  expect(otherNetwork({ networkHint }, network)).toBe(expected);
});

const XPUB = 'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

test.each([
  ['test-address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'mainnet', /test network.*real bitcoin/],
  ['address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'signet', /real bitcoin.*in a signet wallet/],
  ['extended-public-key', XPUB, 'regtest', /real bitcoin/],
  ['extended-public-key', XPUB.replace('xpub', 'vpub'), 'mainnet', /test network/],
  ['descriptor', `wpkh([00000000/84h/0h/0h]${XPUB}/0/*)`, 'testnet', /real bitcoin/],
])('a text of the kind %s for another network says so', (code, text, network, expected) => {
  expect(otherNetworkText(code, text, network)).toMatch(expected);
});

test.each([
  ['address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mainnet'],
  ['test-address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'testnet'],
  ['extended-public-key', XPUB, 'mainnet'],
  ['descriptor', 'wpkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)', 'regtest'],
  ['html', '<html>xpub661MyMwAqRbcFtXgS5sYJABqq</html>', 'regtest'],
])('a text of the kind %s for this network, or for none, does not', (code, text, network) => {
  expect(otherNetworkText(code, text, network)).toBeNull();
});
