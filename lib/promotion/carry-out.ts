import { AppError } from '@/lib/errors'
import { eachPlugin, installPlugin, itemsOf, PlansRefusedError, sha256Of } from './install-plugins'
import type { Journal } from './journal'
import type { Planned } from './plan-promotion'
import { readSettings, writeSettings } from './settings-files'

/** Throws `conflict` for a seal of another plan, and `PlansRefusedError` for conflicts that nothing decides. */
export function requirePlanned(
  { plans, seal, target }: Pick<Planned, 'plans' | 'seal' | 'target'>,
  asked: string | undefined,
): void {
  if (asked !== undefined && asked !== seal)
    throw new AppError(
      'conflict',
      'The plan no longer holds: one of the servers has changed. Plan again',
    )
  const inConflict = plans.filter(({ files }) =>
    files.some((file) => (file.conflictCount ?? 0) > 0),
  )
  if (target.rules?.onConflict === 'fail' && inConflict.length > 0)
    throw new PlansRefusedError(inConflict, 'Decide with --on-conflict keep or take')
}

/** Carries a plan out, each plugin whole or not at all; tells `done` of each thing that was done, in words. */
export async function carryOut(
  { target, plans, files }: Planned,
  journal: Journal,
  done: (line: string) => Promise<void> | void,
): Promise<void> {
  const { client } = target
  const ids = plans.map(({ pluginId }) => pluginId)
  await eachPlugin(target, ids, async (id, { seal, version }) => {
    await journal.begin(client, id, await sha256Of(target, id))
    const history = await installPlugin(target, id, seal)
    await journal.installed(history)
    await done(`installed  ${id} ${version ?? ''}; install ${history} in the history`)
  })
  for (const file of files) {
    const written = itemsOf(target.files, file)
    await journal.settings(file.name, { before: await readSettings(client, file), written })
    for (const line of await writeSettings(client, file, written)) await done(line)
  }
}
