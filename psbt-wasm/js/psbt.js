// The error of both modules. Types and documentation: index.d.ts.

export const MAX_FILE_BYTES = 32 * 1024 * 1024;

export class PsbtError extends Error {
  constructor(code, message, input, options) {
    super(message, options);
    this.name = 'PsbtError';
    this.code = code;
    this.input = input ?? null;
  }
}
