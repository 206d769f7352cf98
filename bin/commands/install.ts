import { Client } from '../client'
import type { Outcome } from '../failure'
import { filesLines, type InstallOptions, installed } from '../install'
import type { Io } from '../io'

/** Installs a plugin and says what happened to each file. */
export async function install(
  io: Io,
  path: string,
  options: InstallOptions & { seal?: string },
): Promise<Outcome> {
  const result = await installed(new Client(io), io, path, options)
  return installOutcome(io, result)
}

type Installed = Awaited<ReturnType<typeof installed>>

export function installOutcome(io: Io, result: Installed): Outcome {
  const { history, totalFiles, failedCount, files } = result
  const sum = `${totalFiles - failedCount} of ${totalFiles} files are installed; install ${history} in the history`
  return { lines: [...filesLines(io, files), sum], json: result, failed: failedCount > 0 }
}
