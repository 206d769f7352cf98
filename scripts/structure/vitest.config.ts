import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../../vitest.config'

/** One file that is no test: it walks through warm requests and prints what they pass. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: undefined } },
  defineConfig({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    test: { include: ['scripts/structure/walks.ts'] },
  }),
)
