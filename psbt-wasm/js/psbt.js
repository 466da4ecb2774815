// The JavaScript half of the boundary; src/wasm.rs is the other half. Types and documentation: index.d.ts.

export class PsbtError extends Error {
  constructor(code, message, input, options) {
    super(message, options);
    this.name = 'PsbtError';
    this.code = code;
    this.input = input ?? null;
  }
}

/** JSON has no bigint; amounts are below 2^53, so they arrive exact. */
export function toReport(json) {
  const report = JSON.parse(json);
  for (const input of report.inputs) input.valueSats = toSats(input.valueSats);
  for (const output of report.outputs) output.valueSats = toSats(output.valueSats);
  report.totalInputSats = toSats(report.totalInputSats);
  report.totalOutputSats = toSats(report.totalOutputSats);
  report.feeSats = toSats(report.feeSats);
  return report;
}

function toSats(number) {
  return number === null ? null : BigInt(number);
}
