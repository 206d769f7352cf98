import { createHash } from 'node:crypto'
import type { EngineClient } from './engine-client'
import { exportedPlugin, type Files, pluginsOf, type Scope } from './take-snapshot'

/** Digests of the files that a server has of a plugin, by their paths; null where it is not installed. */
export type PluginState = Record<string, string> | null

export const digestsOf = (files: Files | null): PluginState =>
  files && Object.fromEntries([...files].map(([path, bytes]) => [path, digestOf([bytes])]))

export function digestOf(parts: Iterable<Uint8Array | string>): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url')
}

export async function pluginState(
  client: EngineClient,
  id: string,
  scope: Scope,
): Promise<PluginState> {
  const isThere = (await pluginsOf(client)).some((one) => one.id === id)
  return digestsOf(isThere ? await exportedPlugin(client, id, scope) : null)
}

/** What differs, by names; empty where nothing does. */
export function changedParts(id: string, before: PluginState, now: PluginState): string[] {
  if (before === null || now === null)
    return before === now ? [] : [`the plugin ${id} was ${now ? 'installed' : 'uninstalled'}`]
  const paths = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...paths].filter((path) => before[path] !== now[path])
}
