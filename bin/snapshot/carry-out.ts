import { join } from 'node:path'
import type { Client } from '../client'
import { Failure } from '../failure'
import { type InstallOptions, installed, type Plan, planLines, planOf } from '../install'
import type { Io } from '../io'
import type { Difference } from './compare'
import { SETTINGS_FILES, type SettingsFile } from './settings-files'
import { type Files, pluginFolder } from './snapshot'

/** A server that gets what a folder has, by these rules. */
export type Target = { client: Client; io: Io; folder: string; rules: InstallOptions }

/** Those that differ, of those that the snapshot has: what the server alone has stays. */
export function changedPlugins(wanted: Files, found: readonly Difference[]): string[] {
  const ids = found.flatMap(({ path }) => /^plugins\/([^/]+)\//.exec(path)?.[1] ?? [])
  const isWanted = (id: string) => wanted.has(`${pluginFolder(id)}/engineplugin.json`)
  return [...new Set(ids)].filter(isWanted)
}

export const changedSettings = (found: readonly Difference[]): SettingsFile[] =>
  SETTINGS_FILES.filter(({ name }) => found.some(({ path }) => path === name))

export function itemsOf(files: Files, { name }: SettingsFile): Record<string, unknown>[] {
  const text = Buffer.from(files.get(name) ?? '[]').toString()
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`${name} of the snapshot is not valid JSON`)
  }
}

export const planPlugin = ({ client, io, folder, rules }: Target, id: string): Promise<Plan> =>
  planOf(client, io, join(folder, pluginFolder(id)), rules)

export const installPlugin = ({ client, io, folder, rules }: Target, id: string, seal: string) =>
  installed(client, io, join(folder, pluginFolder(id)), { ...rules, seal })

/**
 * Carries `work` out for each plugin whose plan would succeed. Those that fail are planned again after others, whose
 * entities they may need. Throws `Failure` when none of the rest can be installed.
 */
export async function eachPlugin(
  target: Target,
  ids: readonly string[],
  work: (id: string, plan: Plan) => Promise<void>,
): Promise<void> {
  let waiting = ids
  while (waiting.length > 0) {
    const refused: Plan[] = []
    const left: string[] = []
    for (const id of waiting) {
      const plan = await planPlugin(target, id)
      if (plan.failedCount === 0) await work(id, plan)
      else {
        refused.push(plan)
        left.push(id)
      }
    }
    if (left.length === waiting.length) throw refusal(target.io, refused)
    waiting = left
  }
}

export const refusal = (io: Io, plans: readonly Plan[]): Failure =>
  new Failure(
    [...plans.flatMap((plan) => planLines(io, plan)), 'These plugins can not be installed'].join(
      '\n',
    ),
  )
