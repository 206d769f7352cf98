import { AppError } from '@/lib/errors'
import type { EngineClient } from './engine-client'
import { type Entry, entriesSince, type InstallStep, type Steps } from './journal'
import { restoreSettings } from './settings-files'
import { SETTINGS_FILES } from './settings-kinds'

/** Undoes what a promotion did, the last first; returns what was done, in words. It can be repeated after it was stopped. */
export async function undoPromotion(client: EngineClient, steps: Steps): Promise<string[]> {
  const done: string[] = []
  for (const file of SETTINGS_FILES.toReversed()) {
    const written = steps.settings[file.name]
    if (written) done.push(...(await restoreSettings(client, file, written)))
  }
  for (const install of steps.installs.toReversed()) {
    const number = await installInEffect(client, install)
    if (number === null) continue
    await client.json(`/api/plugins/history/${number}/rollback`, { method: 'POST' })
    done.push(`rolled back  ${install.plugin}; install ${number} in the history`)
  }
  return done
}

/** Its number, also where the report ends before it; null when it is not in effect. */
async function installInEffect(client: EngineClient, step: InstallStep): Promise<number | null> {
  const since = await entriesSince(client, step)
  const { last, undone } = inEffect(since)
  const number = step.history ?? ownNumber(step, since)
  if (!last || number === null || undone.has(number)) return null
  if (last.id === number) return number
  throw new AppError(
    'conflict',
    `${step.plugin} was installed again since (${last.id}): take that back first, with "engine rollback ${step.plugin}"`,
  )
}

/** Others may have installed the plugin since, or it never began. Reports of before have no digest. */
function ownNumber({ sha256 }: InstallStep, since: readonly Entry[]): number | null {
  const isOwn = (one: Entry) =>
    one.kind === 'install' && (sha256 === undefined || one.sha256 === sha256)
  return since.find(isOwn)?.id ?? null
}

/** The last that nothing has rolled back; `undone`: what was. */
function inEffect(since: readonly Entry[]): { last: Entry | undefined; undone: Set<number> } {
  const undone = new Set<number>()
  for (const one of since) {
    if (undone.has(one.id)) continue
    if (one.kind !== 'rollback') return { last: one, undone }
    if (one.rollbackOf !== null) undone.add(one.rollbackOf)
  }
  return { last: undefined, undone }
}
