import { z } from 'zod'
import { MAX_CHANGES_CHARS, pluginInput } from '@/lib/archives/manifests'
import { VERSION_RANGE } from '@/lib/values/version-range'

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
