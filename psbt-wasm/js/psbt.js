// The error of both modules. Types and documentation: index.d.ts.

export class PsbtError extends Error {
  constructor(code, message, input, options) {
    super(message, options);
    this.name = 'PsbtError';
    this.code = code;
    this.input = input ?? null;
  }
}
