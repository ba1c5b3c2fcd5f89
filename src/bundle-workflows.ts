import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const WORKFLOWS_PATH = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
/** Inside workflows what can't be decoded is refused by a handler, and does not fail the task. */
const PAYLOAD_CONVERTER_PATH = fileURLToPath(new URL('./workflows/payload-converter.ts', import.meta.url));

/** All code that runs inside workflows, as one text with its source map. */
export function bundleWorkflows(): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS_PATH,
    payloadConverterPath: PAYLOAD_CONVERTER_PATH,
    logger: new DefaultLogger('WARN'),
    // Stacks name files and lines of ours; the files' texts, a third of the bundle, are read by every worker and used by none.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  });
}
