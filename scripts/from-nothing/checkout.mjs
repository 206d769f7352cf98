import { spawnSync } from 'node:child_process'
import { StepError } from '../steps/run.mjs'

/** What somebody has who clones the project as it was committed. */
export function cloneTo(root, folder) {
  must('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder])
}

/** Runs a command of the documents there. */
export function inFolder(cwd, command, args) {
  must(command, args, { cwd, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } })
}

function must(command, args, options = {}) {
  const { status } = spawnSync(command, args, {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new StepError(`${command} ${args.join(' ')} ended with ${status}`)
}
