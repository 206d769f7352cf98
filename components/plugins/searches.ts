import { listQuery } from '@/components/lists/list-query'
import type { History, InstallMode } from '@/lib/installs/contract'
import type { FileReport } from '@/lib/installs/file-report'
import type { InstallPreview, PlannedRecord } from '@/lib/installs/plan-contract'
import type { Search } from '@/lib/query/search-key'

/** Query keys, on the server and in the browser. */
export const pluginKey = (id: string) => ['plugin', id] as const
export const installKey = (id: number) => ['plugin-install', id] as const

/** The requests of the plugin pages, shared with the server, which makes them first. */
export const PLUGINS_SEARCH: Search = {
  fields: ['id', 'name', 'version', 'description', 'author', 'image', 'lastHistoryId', 'updatedAt'],
  sort: [{ field: 'name', direction: 'asc' }],
  pagination: { page: 0, size: 500 },
}

export const NAMES_SEARCH: Search = {
  fields: ['id', 'name'],
  pagination: { page: 0, size: 1000 },
  count: 'none',
}

export const RUNNING_SEARCH: Search = {
  query: [{ field: 'status', operator: 'eq', value: 'IN_PROGRESS' }],
  sort: [{ field: 'startedAt', direction: 'asc' }],
  pagination: { page: 0, size: 20 },
}

/** Installs of which some files failed, the latest first. */
export const PARTIAL_SEARCH: Search = {
  fields: ['id'],
  query: [{ field: 'status', operator: 'eq', value: 'PARTIAL' }],
  sort: [{ field: 'id', direction: 'desc' }],
  pagination: { page: 0, size: 500 },
  count: 'none',
}

export const ENTITIES_BY_PLUGIN_SEARCH: Search = {
  fields: ['name', 'pluginId'],
  sort: [{ field: 'name', direction: 'asc' }],
  pagination: { page: 0, size: 1000 },
}

/** Versions of a plugin that were installed at least in part, the latest first. */
export const versionsSearch = (pluginId: string): Search => ({
  fields: ['version'],
  query: [
    { field: 'pluginId', operator: 'eq', value: pluginId },
    { field: 'status', operator: 'in', value: ['SUCCESS', 'PARTIAL'] },
  ],
  sort: [{ field: 'startedAt', direction: 'desc' }],
  pagination: { page: 0, size: 200 },
  count: 'none',
})

/** The last rollback of an install. */
export const rollbackSearch = (installId: number): Search => ({
  fields: ['id'],
  query: [
    { field: 'rollbackOf', operator: 'eq', value: installId },
    { field: 'status', operator: 'eq', value: 'SUCCESS' },
  ],
  sort: [{ field: 'id', direction: 'desc' }],
  pagination: { page: 0, size: 1 },
  count: 'none',
})

/** Installs, the latest first. */
export const historyQuery = listQuery('EnginePluginHistory', {
  searchIn: ['pluginName', 'source', 'installedBy'],
  order: { field: 'startedAt', direction: 'desc' },
})

export type { History, InstallMode, InstallPreview, PlannedRecord }

export type FileDetail = FileReport['details'][number]

/** A row of the log: what a plan says about a file holds for the result too. */
export type FileLog = Omit<FileReport, 'kind' | 'planned'>
export type FileStatus = FileReport['status']

/** A row of `EnginePlugins`. */
export type PluginRow = {
  id: string
  name: string
  version: string | null
  description: string | null
  author: string | null
  license: string | null
  image: string | null
  lastHistoryId: number | null
  signer: { publisher: string; keyId: string } | null
  createdAt: string
  updatedAt: string
}
