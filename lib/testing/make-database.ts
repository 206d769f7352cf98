import { inject } from 'vitest'
import { onServer } from './on-server'

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
    await onServer(coordinator, `alter database ${name} set engine.distribute_by_key to on`)
  return {
    name,
    drop: async () => {
      const drop = `drop database if exists ${name} with (force)`
      await Promise.all(nodes.map((node) => onServer(node, drop)))
    },
  }
}
