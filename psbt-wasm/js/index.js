// For browsers: the modules are fetched from beside the scripts.

export * from './api.js';
