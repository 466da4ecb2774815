/** The package's checks of a log where there is a document: jsdom fetches no files, so the module is read from its own. */
import { readFileSync } from 'node:fs';
import * as glue from '../../../psbt-wasm/pkg/psbt_wasm_log.js';
import { createLog } from '../../../psbt-wasm/pkg/log.js';

glue.initSync({ module: readFileSync(`${process.cwd()}/../psbt-wasm/pkg/psbt_wasm_log_bg.wasm`) });

export const functions = createLog(glue, () => undefined);
