import { resolve } from 'node:path'
import { takeSnapshot } from '@/lib/promotion/take-snapshot'
import { Client } from '../client'
import type { Outcome } from '../failure'
import type { Io } from '../io'
import { counted } from '../report'
import { writeFolder } from '../snapshot/folder'

type Options = { records?: 'all' | 'none'; entities?: string }

/** Writes what a server has as files for a repository: plugins with their records, roles, policies, views and webhooks. */
export async function snapshot(
  io: Io,
  path: string,
  { records = 'all', entities }: Options,
): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const names = entities?.split(',').map((name) => name.trim()) ?? null
  const files = await takeSnapshot(new Client(io), { records, entities: names })
  await writeFolder(folder, files)
  const lines = [`${folder}: ${counted(files.size, 'file')}`]
  return { lines, json: { folder, files: [...files.keys()] } }
}
