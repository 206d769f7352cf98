import { inject } from 'vitest'
import { onServer } from './on-server'

/** A shard on each worker: more cost each definition time, and prove nothing more. */
const OF_CLUSTER = ['engine.distribute_by_key to on', 'citus.shard_count to 2']

/** An empty database of its own on the server; on a Citus cluster on each of its nodes, with the workers known. */
export async function makeDatabase(
  server: string,
): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `engine_test_${crypto.randomUUID().replaceAll('-', '')}`
  const template = inject('citusTemplate')
  const nodes = template?.nodes ?? [server]
  const like = template ? ` template ${template.name}` : ''
  await Promise.all(nodes.map((node) => onServer(node, `create database ${name}${like}`)))
  const [coordinator = server] = nodes
  if (template)
    for (const setting of OF_CLUSTER)
      await onServer(coordinator, `alter database ${name} set ${setting}`)
  return {
    name,
    drop: async () => {
      const drop = `drop database if exists ${name} with (force)`
      await Promise.all(nodes.map((node) => onServer(node, drop)))
    },
  }
}
