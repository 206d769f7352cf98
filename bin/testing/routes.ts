import * as record from '@/app/api/entities/[entityName]/[id]/route'
import * as records from '@/app/api/entities/[entityName]/route'
import * as entities from '@/app/api/entities/route'
import * as modelApply from '@/app/api/model/apply/route'
import * as pluginDriftResolve from '@/app/api/plugins/[id]/drift/resolve/route'
import * as pluginDrift from '@/app/api/plugins/[id]/drift/route'
import * as pluginExport from '@/app/api/plugins/[id]/export/route'
import * as plugin from '@/app/api/plugins/[id]/route'
import * as logs from '@/app/api/plugins/history/[id]/logs/route'
import * as rollback from '@/app/api/plugins/history/[id]/rollback/route'
import * as history from '@/app/api/plugins/history/route'
import * as install from '@/app/api/plugins/install/zip/route'
import * as plugins from '@/app/api/plugins/route'
import * as policy from '@/app/api/policies/[id]/route'
import * as policies from '@/app/api/policies/route'
import * as role from '@/app/api/roles/[name]/route'
import * as roles from '@/app/api/roles/route'
import * as serverChecks from '@/app/api/server/checks/route'
import * as aboutServer from '@/app/api/server/route'
import * as view from '@/app/api/views/[id]/route'
import * as views from '@/app/api/views/route'
import * as webhook from '@/app/api/webhooks/[id]/route'
import * as webhooks from '@/app/api/webhooks/route'
import * as fileSchemas from '@/app/schemas/[name]/route'
import type { Routes } from '@/lib/openapi/api-document'

/** The routes that the command and its tutorial call: importing the others would take longer than its tests. */
export const ROUTES: Routes = {
  '/api/entities/[entityName]': records,
  '/api/entities/[entityName]/[id]': record,
  '/api/plugins/[id]': plugin,
  '/api/plugins/[id]/drift': pluginDrift,
  '/api/plugins/[id]/drift/resolve': pluginDriftResolve,
  '/api/plugins/[id]/export': pluginExport,
  '/api/plugins/history': history,
  '/api/plugins/history/[id]/logs': logs,
  '/api/plugins/history/[id]/rollback': rollback,
  '/api/plugins/install/zip': install,
  '/api/server': aboutServer,
  '/api/server/checks': serverChecks,
  '/schemas/[name]': fileSchemas,
  '/api/entities': entities,
  '/api/model/apply': modelApply,
  '/api/plugins': plugins,
  '/api/policies': policies,
  '/api/policies/[id]': policy,
  '/api/roles': roles,
  '/api/roles/[name]': role,
  '/api/views': views,
  '/api/views/[id]': view,
  '/api/webhooks': webhooks,
  '/api/webhooks/[id]': webhook,
}
