import { realpathSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { run } from './run.mjs'

/**
 * Runs `script` by the Node at `TEST_NODE`, which is the first in the path of what it starts. Returns its
 * exit code; null when no other Node is given than the one that runs this.
 * @param {string} script
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<number | null>}
 */
export async function runByTestNode(script, args, env = process.env) {
  if (!env.TEST_NODE) return null
  const node = realpathSync(env.TEST_NODE)
  if (node === realpathSync(process.execPath)) return null
  const path = `${dirname(node)}${delimiter}${env.PATH ?? ''}`
  return run(node, [script, ...args], { env: { ...env, TEST_NODE: '', PATH: path } })
}
