import { spawnSync } from 'node:child_process'
import { StepError } from './run.mjs'

/** What a command of git prints, without white space around it. Throws when it fails. */
export function gitText(root, ...args) {
  const { stdout, stderr, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new StepError(`git ${args[0]}: ${stderr.trim()}`)
  return stdout.trim()
}
