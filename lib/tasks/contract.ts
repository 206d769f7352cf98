import { z } from 'zod'
import { count, instant } from '@/lib/values/wire-types'

/** Work that is running on the server. */
export const task = z
  .object({
    kind: z
      .enum(['install', 'uninstall', 'restore', 'rollback', 'export', 'import', 'promotion'])
      .meta({ description: 'The first four are entries of the history of plugins' }),
    id: z.string().meta({
      description: 'Number in the history of plugins, or id of the export, import or promotion',
    }),
    name: z.string().meta({ description: 'Of the plugin, the entity, or the other server' }),
    dryRun: z.boolean().meta({ description: 'Of an import: it only checks the file' }),
    startedBy: z.string().nullable().meta({ description: 'Email of the user, or name of the key' }),
    startedAt: instant,
    done: count.meta({
      description:
        'Files of an installation, records of an export, bytes of an import, parts of a promotion',
    }),
    total: count.nullable().meta({ description: 'Null while it is not known' }),
    failed: count.meta({
      description: 'Files so far that could not be installed; rows that are refused',
    }),
  })
  .meta({ id: 'Engine.Task' })
export type Task = z.infer<typeof task>
