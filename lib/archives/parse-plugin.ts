import { setImmediate as otherRequests } from 'node:timers/promises'
import { findCycle } from '@/lib/archives/plan/cycles'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { outerSpaces, unknownKeys } from '@/lib/definitions/unknown-keys'
import { AppError, messageOf } from '@/lib/errors'
import { type JsonObject, JsonSyntaxError } from '@/lib/values/json'
import {
  COMPONENT_KEYS,
  type ComponentManifest,
  engineWarnings,
  labelWarnings,
  MAX_MANIFEST_BYTES,
  PLUGIN_KEYS,
  type PluginManifest,
  parseComponentManifest,
  readManifestJson,
} from './manifests'
import { baseName, folderOf, type Layout, type OpenArchive } from './open-archive'
import { FileFailure, type FileLimits, type PluginFile } from './plugin-file'
import { ArchiveRoom, substitute, type Variables } from './variables'

export type ParsedPlugin = {
  manifest: PluginManifest
  files: PluginFile[]
  ignored: Layout['ignored']
}

/**
 * Parses an archive without using the database. `files` are in the archive's order and not read
 * yet. Throws `invalid_input` for faults of the archive as a whole.
 */
export async function parsePlugin(
  { entries, layout, manifest }: OpenArchive,
  limits: FileLimits,
): Promise<ParsedPlugin> {
  const config = [manifest.variables, manifest.raw]
  // Variables can multiply short texts, so they get as much room as the archive itself may take.
  const room = new ArchiveRoom(limits.MAX_UNPACKED_BYTES)
  const files: PluginFile[] = []
  for (const component of layout.components) {
    await otherRequests()
    const bytes = entries.get(component.manifest) ?? new Uint8Array()
    const { found, failure, warnings } = readManifest(bytes, component.manifest, {
      config,
      manifest: [],
    })
    const common = {
      root: folderOf(layout.pluginFile),
      target: found?.target ?? null,
      folderName: baseName(component.folder.slice(0, -1)),
      dependencies: found?.dependencies ?? [],
      insertDuplicate: found?.insertDuplicate ?? null,
      onConflict: found?.onConflict ?? manifest.onConflict,
      variables: { config, manifest: found ? [found.variables, found.raw] : [] },
      limits,
      room,
      failure,
    }
    for (const [index, path] of component.files.entries()) {
      const content = entries.get(path) ?? new Uint8Array()
      files.push({ path, bytes: content, ...common, warnings: index === 0 ? warnings : [] })
    }
  }
  files[0]?.warnings.unshift(
    ...engineWarnings(manifest, layout.pluginFile),
    ...labelWarnings(manifest.raw, layout.pluginFile),
    ...manifestWarnings(manifest.raw, PLUGIN_KEYS, layout.pluginFile),
  )
  if (files.length === 0) throw new AppError('invalid_input', NOTHING_TO_INSTALL)
  refuseCycles(files)
  return { manifest, files, ignored: layout.ignored }
}

const NOTHING_TO_INSTALL =
  'The archive has nothing to install: no .json file is below a folder with a __manifest__.json'

/** The target of a file, if it is clear without the database. */
export const statedTarget = ({ target, folderName }: PluginFile) => target ?? folderName

function refuseCycles(files: PluginFile[]): void {
  const dependencies = new Map<string, Set<string>>()
  for (const file of files) {
    const known = dependencies.get(statedTarget(file)) ?? new Set()
    for (const dependency of file.dependencies) known.add(dependency)
    dependencies.set(statedTarget(file), known)
  }
  const cycle = findCycle(new Map([...dependencies].map(([target, names]) => [target, [...names]])))
  if (cycle)
    throw new AppError('invalid_input', `The dependencies form a cycle: ${cycle.join(' → ')}`)
}

/** Authors may keep keys of their own there, so only likely misspellings are reported. */
const manifestWarnings = (json: JsonObject, known: readonly string[], path: string): FileDetail[] =>
  [
    ...outerSpaces(
      json,
      known.filter((key) => key === 'target' || key === 'dependencies'),
    ),
    ...unknownKeys(json, '', known, { onlyNear: true }),
  ].map((warning) => ({
    ...warning,
    message: `${path}: ${warning.message}`,
  }))

function readManifest(
  bytes: Uint8Array,
  path: string,
  variables: Variables,
): { found: ComponentManifest | null; failure: FileFailure | null; warnings: FileDetail[] } {
  try {
    const json = substitute(readManifestJson(bytes), variables, { bytes: MAX_MANIFEST_BYTES })
    const found = parseComponentManifest(json)
    return { found, failure: null, warnings: manifestWarnings(found.raw, COMPONENT_KEYS, path) }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) {
      return {
        found: null,
        warnings: [],
        failure: new FileFailure('Invalid definition', [
          { message: `${path}: ${reasonOf(error)}` },
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

const reasonOf = (error: unknown): string =>
  error instanceof FileFailure ? (error.details[0]?.message ?? error.message) : messageOf(error)
