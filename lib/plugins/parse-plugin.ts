import type { FileDetail } from '@/lib/db/schema'
import type { InsertDuplicate } from '@/lib/entities/definition'
import { unknownKeys } from '@/lib/entities/definitions/unknown-keys'
import { AppError, messageOf } from '@/lib/errors'
import { type JsonObject, JsonSyntaxError, parseJson } from '@/lib/json'
import {
  COMPONENT_KEYS,
  type ComponentManifest,
  parseComponentManifest,
} from './component-manifest'
import { findCycle } from './dependency-cycle'
import { baseName, type Layout, readLayout } from './layout'
import { PLUGIN_KEYS, type PluginManifest, parsePluginManifest } from './plugin-manifest'
import { substitute, type Variables } from './variables'
import { FileFailure } from './verdict'

export type ContentFile = {
  path: string
  bytes: Uint8Array
  variables: Variables
  /** Of the manifest above it; null: not given, or the manifest is broken. */
  target: string | null
  /** The folder's name: stands for `target` where that is left out and the name is a known target. */
  folderName: string
  dependencies: readonly string[]
  insertDuplicate: InsertDuplicate | null
  /** The manifest above it is broken: the file can't be installed. */
  failure: FileFailure | null
  /** Of the manifests above it, given to the first file below each. */
  warnings: FileDetail[]
}

export type ParsedPlugin = {
  manifest: PluginManifest
  files: ContentFile[]
  ignored: Layout['ignored']
}

/**
 * What an archive says, without a look at the database. `files` come in the archive's order and are
 * not read yet. Throws `invalid_input` for faults of the archive as a whole.
 */
export function parsePlugin(archive: ReadonlyMap<string, Uint8Array>): ParsedPlugin {
  const { manifest, layout } = readPlugin(archive)
  const config = [manifest.variables, manifest.raw]
  const files = layout.components.flatMap((component) => {
    const bytes = archive.get(component.manifest) ?? new Uint8Array()
    const { found, failure, warnings } = readManifest(bytes, component.manifest, {
      config,
      manifest: [],
    })
    const common = {
      target: found?.target ?? null,
      folderName: baseName(component.folder.slice(0, -1)),
      dependencies: found?.dependencies ?? [],
      insertDuplicate: found?.insertDuplicate ?? null,
      variables: { config, manifest: found ? [found.variables, found.raw] : [] },
      failure,
    }
    return component.files.map((path, index) => ({
      path,
      bytes: archive.get(path) ?? new Uint8Array(),
      ...common,
      warnings: index === 0 ? warnings : [],
    }))
  })
  files[0]?.warnings.unshift(...manifestWarnings(manifest.raw, PLUGIN_KEYS, layout.pluginFile))
  if (files.length === 0) throw new AppError('invalid_input', NOTHING_TO_INSTALL)
  refuseCycles(files)
  return { manifest, files, ignored: layout.ignored }
}

const NOTHING_TO_INSTALL =
  'The archive has nothing to install: no .json file lies below a folder with a __manifest__.json'

/** The target a file is meant for, if it is clear without a look at the database. */
export const statedTarget = ({ target, folderName }: ContentFile) => target ?? folderName

function refuseCycles(files: ContentFile[]): void {
  const dependencies = new Map<string, string[]>()
  for (const file of files) {
    const known = dependencies.get(statedTarget(file)) ?? []
    dependencies.set(statedTarget(file), [...new Set([...known, ...file.dependencies])])
  }
  const cycle = findCycle(dependencies)
  if (cycle)
    throw new AppError('invalid_input', `The dependencies form a cycle: ${cycle.join(' → ')}`)
}

/** The part that must succeed for an archive to have a place in the history. */
export function readPlugin(archive: ReadonlyMap<string, Uint8Array>) {
  const layout = readLayout([...archive.keys()])
  const bytes = archive.get(layout.pluginFile)
  if (!bytes) throw new AppError('invalid_input', `${layout.pluginFile} cannot be read`)
  return { layout, manifest: parsePluginManifest(bytes, layout.pluginFile) }
}

/** Authors may keep keys of their own there, so only what looks misspelt is told. */
const manifestWarnings = (json: JsonObject, known: readonly string[], path: string): FileDetail[] =>
  unknownKeys(json, '', known, { onlyNear: true }).map((warning) => ({
    ...warning,
    message: `${path}: ${warning.message}`,
  }))

function readManifest(
  bytes: Uint8Array,
  path: string,
  variables: Variables,
): { found: ComponentManifest | null; failure: FileFailure | null; warnings: FileDetail[] } {
  try {
    const found = parseComponentManifest(substitute(parseJson(bytes), variables))
    return { found, failure: null, warnings: manifestWarnings(found.raw, COMPONENT_KEYS, path) }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) {
      return {
        found: null,
        warnings: [],
        failure: new FileFailure('Invalid definition', [
          { message: `${path}: ${messageOf(error)}` },
        ]),
      }
    }
    const { line, column } = error
    return {
      found: null,
      warnings: [],
      failure: new FileFailure('Invalid JSON', [
        { line, column, message: `${path}: ${error.message}` },
      ]),
    }
  }
}
