import type { SearchTarget } from '@/lib/registry/target'
import { column } from './fields'

export const ENGINE_PLUGIN_HISTORY: SearchTarget = {
  name: 'EnginePluginHistory',
  table: { schema: 'engine', name: 'installs' },
  fields: [
    column('id', 'integer'),
    column('kind', 'text'),
    column('rollbackOf', 'integer', { nullable: true }),
    column('pluginId', 'text', { nullable: true }),
    column('pluginName', 'text', { nullable: true }),
    column('version', 'text', { nullable: true }),
    column('source', 'text'),
    column('sha256', 'text'),
    column('mode', 'text'),
    column('status', 'text'),
    column('startedAt', 'datetime'),
    column('completedAt', 'datetime', { nullable: true }),
    column('durationMs', 'integer', {
      nullable: true,
      expression: '(extract(epoch from "completed_at" - "started_at") * 1000)::bigint',
    }),
    column('installedBy', 'text', { nullable: true }),
    column('cancelledBy', 'text', { nullable: true }),
    column('totalFiles', 'integer'),
    column('processedFiles', 'integer'),
    column('successCount', 'integer'),
    column('failedCount', 'integer'),
    column('recordCount', 'integer'),
    column('warningCount', 'integer'),
    column('errors', 'array'),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
