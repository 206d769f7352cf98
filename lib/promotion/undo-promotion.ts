import { AppError } from '@/lib/errors'
import type { EngineClient } from './engine-client'
import { type InstallStep, lastEntry, ownInstall, type Steps } from './journal'
import { restoreSettings, SETTINGS_FILES } from './settings-files'

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
  const { plugin, after, sha256 } = step
  const history = step.history ?? (sha256 && (await ownInstall(client, step))?.id) ?? null
  if (history === null && sha256) return null
  const last = await lastEntry(client, plugin)
  if (!last || last.id <= after || last.status !== 'SUCCESS') return null
  if (last.kind === 'rollback' && (history === null || last.rollbackOf === history)) return null
  if (history !== null && last.id !== history)
    throw new AppError(
      'conflict',
      `${plugin} was installed again since (${last.id}): take that back first, with "engine rollback ${plugin}"`,
    )
  return last.id
}
