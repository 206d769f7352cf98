import { inject } from 'vitest'
import { onServer } from './on-server'

type MadeDatabase = { name: string; drop: () => Promise<void> }

/** A shard on each worker: more cost each definition time, and prove nothing more. */
const OF_CLUSTER = ['engine.distribute_by_key to on', 'citus.shard_count to 2']

/**
 * A database of its own, with all migrations; on a Citus cluster on each of its nodes, with the workers known. A copy of
 * the template of the run: to migrate it takes as long as many a file of tests.
 */
export async function makeDatabase(server: string): Promise<MadeDatabase> {
  const template = inject('databaseTemplate')
  if (!template) throw new Error('Without TEST_DATABASE_URL, there is no template')
  const { nodes } = template
  const made = await make(nodes, template.prefix, ` template ${template.name}`)
  const [coordinator = server] = nodes
  if (nodes.length > 1)
    for (const setting of OF_CLUSTER)
      await onServer(coordinator, `alter database ${made.name} set ${setting}`)
  return made
}

/** An empty one, on a server that is no cluster. */
export const makeEmptyDatabase = (server: string): Promise<MadeDatabase> =>
  make([server], inject('databaseTemplate')?.prefix ?? 'engine_test_')

async function make(nodes: readonly string[], prefix: string, like = ''): Promise<MadeDatabase> {
  const name = `${prefix}${crypto.randomUUID().replaceAll('-', '')}`
  await Promise.all(nodes.map((node) => onServer(node, `create database ${name}${like}`)))
  return {
    name,
    drop: async () => {
      const drop = `drop database if exists ${name} with (force)`
      await Promise.all(nodes.map((node) => onServer(node, drop)))
    },
  }
}
