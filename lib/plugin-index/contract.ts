import { z } from 'zod'
import { MAX_CHANGES_CHARS, pluginInput } from '@/lib/archives/manifests'
import { decisionsSchema } from '@/lib/installs/contract'
import { VERSION_RANGE } from '@/lib/values/version-range'
import { count, instant, strictObject } from '@/lib/values/wire-types'

export const MAX_PLUGINS = 5_000
export const MAX_VERSIONS = 500

const text = (max: number) => z.string().trim().min(1).max(max)

const listedVersion = z.object({
  version: text(100).meta({ description: 'As in its engineplugin.json' }),
  url: z.string().min(1).max(2_000).meta({
    description: 'Where its archive is, relative to the address of the index or absolute',
  }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'Of the archive, in hex' }),
  bytes: z.int().min(1).meta({ description: 'The size of the archive' }),
  keyId: z
    .string()
    .regex(/^[0-9A-F]{16}$/)
    .nullish()
    .meta({
      description: 'The key whose signature the archive has, as minisign shows it',
    }),
  changes: z.string().max(MAX_CHANGES_CHARS).nullish().meta({
    description: 'What is new in it, as plain text',
  }),
  engine: z.string().regex(VERSION_RANGE).nullish().meta({
    description: 'Versions of the engine that it works with, such as >=1.2 <2',
  }),
  publishedAt: z.iso.datetime({ offset: true }).nullish(),
})

export const listedPlugin = z.object({
  id: pluginInput.shape.id,
  name: text(200).nullish(),
  description: z.string().max(10_000).nullish(),
  author: z.string().max(500).nullish(),
  license: z.string().max(500).nullish(),
  versions: z.array(listedVersion).min(1).max(MAX_VERSIONS).meta({ description: 'In any order' }),
})

/** An index of plugins, as a file; keys that are not listed here are ignored. */
export const pluginIndexFile = z.object({
  engineIndex: z.literal(1),
  name: text(200).nullish(),
  plugins: z.array(listedPlugin).max(MAX_PLUGINS),
})
export type PluginIndexFile = z.infer<typeof pluginIndexFile>
export type ListedPlugin = z.infer<typeof listedPlugin>
export type ListedVersion = z.infer<typeof listedVersion>

/** Query of `GET /api/plugins/index`. */
export const indexQuery = z.strictObject({
  q: z.string().trim().max(200).default('').meta({
    description: 'A part of the id, the name, the description or the author',
  }),
  updates: z.stringbool().default(false).meta({
    description: 'Only installed plugins of which there is a newer version',
  }),
  refresh: z.stringbool().default(false).meta({
    description: 'Loads the index now, though it was loaded within the last five minutes',
  }),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(500).default(25),
})
export type IndexQuery = z.infer<typeof indexQuery>

const availableVersion = listedVersion.omit({ url: true }).extend({
  keyId: z.string().nullable(),
  changes: z.string().nullable(),
  engine: z.string().nullable(),
  publishedAt: z.string().nullable(),
  publisher: z.string().nullable().meta({
    description:
      'Whose trusted key has signed it, as the index says: the archive is checked when it is planned',
  }),
  isCompatible: z.boolean().meta({ description: 'It works with this engine' }),
})

/** A plugin of the index, beside what is installed of it. */
export const availablePlugin = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    author: z.string().nullable(),
    license: z.string().nullable(),
    isInstalled: z.boolean(),
    installedVersion: z.string().nullable(),
    latest: z.string().nullable().meta({
      description: 'The newest version that works with this engine; null where none does',
    }),
    hasUpdate: z.boolean().meta({ description: '`latest` is newer than what is installed' }),
    versions: z.array(availableVersion).meta({ description: 'The newest first' }),
  })
  .meta({ id: 'Engine.AvailablePlugin' })
export type AvailablePlugin = z.infer<typeof availablePlugin>

export const indexMeta = z.object({
  name: z.string().nullable().meta({ description: 'Whose plugins these are' }),
  loadedAt: instant,
  failure: z.string().nullable().meta({
    description: 'Why the index could not be loaded since; the plugins are those of `loadedAt`',
  }),
  updates: count.meta({ description: 'Installed plugins of which there is a newer version' }),
})
export type IndexMeta = z.infer<typeof indexMeta>

/** Body of `POST /api/plugins/install/index`. */
export const installFromIndexBody = strictObject({
  id: text(200),
  version: text(100),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .meta({
      description: 'Of the archive that was seen: 409 where the index has another one by now',
    }),
  decisions: decisionsSchema.optional().meta({
    description:
      'About single conflicts, by entity; an install with decisions needs the `seal` of a plan with the same ones',
  }),
})
