import { CommanderError } from 'commander'
import { AppError } from '@/lib/errors'
import { EXIT, Failure } from './failure'
import { colorsOf, type Io } from './io'
import { programOf } from './program'

/** Runs `engine <args>`; returns the exit code. Errors are said, never thrown. */
export async function runCli(args: string[], io: Io): Promise<number> {
  let failed = false
  const program = programOf(io, (outcome) => {
    failed = outcome.failed === true
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return failed ? EXIT.failed : EXIT.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const failure = asFailure(error)
    if (args.includes('--json'))
      io.out(`${JSON.stringify({ error: failure.message, ...failure.details }, null, 2)}\n`)
    else io.err(`${colorsOf(io).red(failure.message)}\n`)
    return failure.exitCode
  }
}

/** What the engine's own parsers refuse, and what the file system does, are no faults of the program. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof AppError) return new Failure(error.message)
  if (error instanceof Error && 'syscall' in error) return new Failure(error.message)
  throw error
}
