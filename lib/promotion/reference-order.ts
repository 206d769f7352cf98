import { type EngineClient, listAt } from './engine-client'

type Entity = { name: string; pluginId: string | null; fields?: { reference?: string }[] }

/**
 * Plugins after those to whose records theirs refer, so that references follow the numbers that records get; `needs`: the ids
 * of these.
 */
export async function inOrderOfReferences<P extends { id: string }>(
  client: EngineClient,
  plugins: readonly P[],
): Promise<(P & { needs: string[] })[]> {
  const entities = (await listAt(client, '/api/entities')) as Entity[]
  const owners = new Map(entities.map(({ name, pluginId }) => [name.toLowerCase(), pluginId]))
  const needs = (id: string) =>
    entities
      .filter(({ pluginId }) => pluginId === id)
      .flatMap(({ fields = [] }) => fields.flatMap(({ reference }) => reference ?? []))
      .flatMap((name) => owners.get(name.toLowerCase()) ?? [])
  const ordered = new Set<P>()
  const visited = new Set<string>()
  const visit = (plugin: P): void => {
    if (visited.has(plugin.id)) return
    visited.add(plugin.id)
    for (const id of needs(plugin.id)) {
      const needed = plugins.find((one) => one.id === id)
      if (needed) visit(needed)
    }
    ordered.add(plugin)
  }
  for (const plugin of plugins) visit(plugin)
  return [...ordered].map((plugin) => ({ ...plugin, needs: needs(plugin.id) }))
}
