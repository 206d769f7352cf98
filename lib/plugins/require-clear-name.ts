import { eq } from 'drizzle-orm'
import { plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { nameFault } from '@/lib/values/name-fault'
import type { PluginManifest } from './archive/plugin-manifest'

/** Throws `invalid_input` for a new name that people could take for another; one that is installed may stay. */
export async function requireClearName(
  db: Db,
  { id, name }: Pick<PluginManifest, 'id' | 'name'>,
): Promise<void> {
  const why = nameFault(name)
  if (why === null) return
  const [installed] = await db
    .select({ name: plugins.name })
    .from(plugins)
    .where(eq(plugins.id, id))
  if (installed?.name === name) return
  throw new AppError('invalid_input', `engineplugin.json is invalid: its name ${startLow(why)}`)
}

const startLow = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
