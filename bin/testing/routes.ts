import * as record from '@/app/api/entities/[entityName]/[id]/route'
import * as records from '@/app/api/entities/[entityName]/route'
import * as pluginDrift from '@/app/api/plugins/[id]/drift/route'
import * as pluginExport from '@/app/api/plugins/[id]/export/route'
import * as plugin from '@/app/api/plugins/[id]/route'
import * as logs from '@/app/api/plugins/history/[id]/logs/route'
import * as rollback from '@/app/api/plugins/history/[id]/rollback/route'
import * as history from '@/app/api/plugins/history/route'
import * as install from '@/app/api/plugins/install/zip/route'
import type { Routes } from '@/lib/openapi/api-document'

/** The routes that the command and its tutorial call: importing the others would take longer than its tests. */
export const ROUTES: Routes = {
  '/api/entities/[entityName]': records,
  '/api/entities/[entityName]/[id]': record,
  '/api/plugins/[id]': plugin,
  '/api/plugins/[id]/drift': pluginDrift,
  '/api/plugins/[id]/export': pluginExport,
  '/api/plugins/history': history,
  '/api/plugins/history/[id]/logs': logs,
  '/api/plugins/history/[id]/rollback': rollback,
  '/api/plugins/install/zip': install,
}
