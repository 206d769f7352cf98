import type { Routes } from '@/lib/openapi/api-document'
import * as pluginsIdDriftResolve from './plugins/[id]/drift/resolve/route'
import * as pluginsIdDrift from './plugins/[id]/drift/route'
import * as pluginsIdExport from './plugins/[id]/export/route'
import * as pluginsId from './plugins/[id]/route'
import * as pluginsExport from './plugins/export/route'
import * as pluginsHistoryIdCancel from './plugins/history/[id]/cancel/route'
import * as pluginsHistoryIdEvents from './plugins/history/[id]/events/route'
import * as pluginsHistoryIdLogs from './plugins/history/[id]/logs/route'
import * as pluginsHistoryIdRollback from './plugins/history/[id]/rollback/route'
import * as pluginsHistoryId from './plugins/history/[id]/route'
import * as pluginsHistory from './plugins/history/route'
import * as pluginsIndex from './plugins/index/route'
import * as pluginsInstallIndex from './plugins/install/index/route'
import * as pluginsInstallZip from './plugins/install/zip/route'
import * as plugins from './plugins/route'

/** Those of plugins, as in `ROUTES`. */
export const PLUGIN_ROUTES: Routes = {
  '/api/plugins': plugins,
  '/api/plugins/[id]': pluginsId,
  '/api/plugins/[id]/drift': pluginsIdDrift,
  '/api/plugins/[id]/drift/resolve': pluginsIdDriftResolve,
  '/api/plugins/[id]/export': pluginsIdExport,
  '/api/plugins/export': pluginsExport,
  '/api/plugins/history': pluginsHistory,
  '/api/plugins/history/[id]': pluginsHistoryId,
  '/api/plugins/history/[id]/cancel': pluginsHistoryIdCancel,
  '/api/plugins/history/[id]/events': pluginsHistoryIdEvents,
  '/api/plugins/history/[id]/logs': pluginsHistoryIdLogs,
  '/api/plugins/history/[id]/rollback': pluginsHistoryIdRollback,
  '/api/plugins/index': pluginsIndex,
  '/api/plugins/install/index': pluginsInstallIndex,
  '/api/plugins/install/zip': pluginsInstallZip,
}
