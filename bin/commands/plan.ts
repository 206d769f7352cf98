import { Client } from '../client'
import type { Outcome } from '../failure'
import { type InstallOptions, planLines, planOf } from '../install'
import type { Io } from '../io'

/** Shows what an install would do, down to the records with `--records`. */
export async function plan(
  io: Io,
  path: string,
  { records, ...options }: InstallOptions & { records?: boolean },
): Promise<Outcome> {
  const client = new Client(io)
  const found = await planOf(client, io, path, options, { records })
  const lines = planLines(io, found)
  return { lines, json: found, failed: found.failedCount > 0 }
}
