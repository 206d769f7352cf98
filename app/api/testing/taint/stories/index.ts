import type { Story } from '../story'
import { deleteBatch, editBatch } from './batches'
import { columns, entities, openApi, types } from './descriptions'
import { groups } from './groups'
import { importFile, previewImport } from './imports'
import { advice, ownLists, PLAIN, plainRequest } from './plain'
import { pluginPlan, pluginReads, pluginTrials, systemEntities } from './plugins'
import { count, cursors, exportFile, exportJob, searchByBody, searchByUrl } from './reads'
import { absentRecord, changes, comments, findRecords, history, readRecord } from './records'
import { relatedRecords } from './related'
import { previewPolicy, rights, security } from './security'
import { emptyTrash, trash, trashOfOthers } from './trash'
import { ownViews, views } from './views'
import { webhooks } from './webhooks'
import { changeByKeys, changeRecord, createMany, createRecord, deleteRecord } from './writes'

const ENTITY = '/api/entities/[entityName]'

/** The stories that make requests of each route. */
export const STORIES: Record<string, readonly Story[]> = {
  [`GET ${ENTITY}`]: [searchByUrl],
  [`POST ${ENTITY}/search`]: [searchByBody, cursors, groups, relatedRecords, systemEntities],
  [`GET ${ENTITY}/count`]: [count],
  [`POST ${ENTITY}/count`]: [count],
  [`POST ${ENTITY}/export`]: [exportFile],
  [`POST ${ENTITY}/exports`]: [exportJob],
  'GET /api/exports': [ownLists],
  'GET /api/exports/[id]': [exportJob],
  'DELETE /api/exports/[id]': [exportJob],
  'POST /api/exports/[id]/cancel': [exportJob],
  'GET /api/exports/[id]/file': [exportJob],
  [`GET ${ENTITY}/[id]`]: [readRecord, absentRecord],
  [`GET ${ENTITY}/[id]/comments`]: [comments],
  [`POST ${ENTITY}/[id]/comments`]: [comments],
  [`PATCH ${ENTITY}/[id]/comments/[commentId]`]: [comments],
  [`DELETE ${ENTITY}/[id]/comments/[commentId]`]: [comments],
  [`GET ${ENTITY}/[id]/history`]: [history],
  [`POST ${ENTITY}/[id]/history/[version]/restore`]: [history],
  [`GET ${ENTITY}/changes`]: [changes],
  'GET /api/changes': [changes],
  [`POST ${ENTITY}`]: [createRecord],
  [`POST ${ENTITY}/batch`]: [createMany],
  [`PUT ${ENTITY}`]: [changeByKeys],
  [`PUT ${ENTITY}/batch`]: [changeByKeys],
  [`PUT ${ENTITY}/[id]`]: [changeRecord],
  [`PATCH ${ENTITY}/[id]`]: [changeRecord],
  [`DELETE ${ENTITY}/[id]`]: [deleteRecord],
  [`PATCH ${ENTITY}/batch`]: [editBatch],
  [`DELETE ${ENTITY}/batch`]: [deleteBatch],
  [`POST ${ENTITY}/import`]: [importFile],
  [`POST ${ENTITY}/import/preview`]: [previewImport],
  'GET /api/imports': [ownLists],
  'GET /api/imports/[id]': [importFile],
  'DELETE /api/imports/[id]': [importFile],
  'GET /api/imports/[id]/refused': [importFile],
  'POST /api/imports/[id]/cancel': [importFile],
  'GET /api/records': [findRecords],
  [`GET ${ENTITY}/columns`]: [columns],
  'GET /api/entities': [entities],
  'GET /api/openapi.json': [openApi],
  'GET /api/types.d.ts': [types],
  'GET /api/trash': [trash],
  'GET /api/trash/[batchId]': [trash],
  'GET /api/trash/[batchId]/records': [trash],
  'POST /api/trash/[batchId]/restore': [trashOfOthers],
  'DELETE /api/trash/[batchId]': [trashOfOthers],
  'DELETE /api/trash': [emptyTrash],
  'GET /api/views': [views],
  'POST /api/views': [ownViews],
  'PATCH /api/views/[id]': [ownViews],
  'DELETE /api/views/[id]': [ownViews],
  'GET /api/tasks': [ownLists],
  'GET /api/plugins': [pluginReads],
  'GET /api/plugins/[id]': [pluginReads],
  'GET /api/plugins/[id]/drift': [pluginReads],
  'GET /api/plugins/[id]/export': [pluginReads],
  'GET /api/plugins/history': [pluginReads],
  'GET /api/plugins/history/[id]': [pluginReads],
  'GET /api/plugins/history/[id]/logs': [pluginReads],
  'POST /api/plugins/install/zip': [pluginPlan],
  'POST /api/plugins/[id]/export': [pluginTrials],
  'POST /api/plugins/export': [pluginTrials],
  'GET /api/model/definitions': [pluginReads],
  'GET /api/model/layers': [pluginReads],
  'GET /api/model/layers/[plugin]/export': [pluginReads],
  'POST /api/model/plan': [pluginTrials],
  [`GET ${ENTITY}/definition`]: [pluginTrials],
  'DELETE /api/plugins/[id]': [pluginTrials],
  'POST /api/plugins/[id]/drift/resolve': [pluginTrials],
  'POST /api/plugins/history/[id]/rollback': [pluginTrials],
  'GET /api/rights': [rights],
  'GET /api/roles': [rights],
  'GET /api/roles/[name]': [rights],
  'GET /api/users/[userId]/rights': [rights],
  'POST /api/roles': [security],
  'PATCH /api/roles/[name]': [security],
  'DELETE /api/roles/[name]': [security],
  'GET /api/policies': [security],
  'POST /api/policies': [security],
  'GET /api/policies/[id]': [security],
  'PATCH /api/policies/[id]': [security],
  'DELETE /api/policies/[id]': [security],
  'POST /api/policies/preview': [previewPolicy],
  'GET /api/webhooks': [webhooks],
  'POST /api/webhooks': [webhooks],
  'GET /api/webhooks/[id]': [webhooks],
  'PATCH /api/webhooks/[id]': [webhooks],
  'DELETE /api/webhooks/[id]': [webhooks],
  'GET /api/webhooks/[id]/deliveries': [webhooks],
  'POST /api/webhooks/[id]/deliveries/[deliveryId]/redeliver': [webhooks],
  'POST /api/webhooks/[id]/redeliver': [webhooks],
  'POST /api/webhooks/[id]/rotate-secret': [webhooks],
  [`GET ${ENTITY}/advice`]: [advice],
  [`GET ${ENTITY}/distribution`]: [advice],
  [`POST ${ENTITY}/indexes`]: [advice],
  [`DELETE ${ENTITY}/indexes/[name]`]: [advice],
  ...Object.fromEntries(Object.keys(PLAIN).map((route) => [route, []])),
}

/** Routes without a story, and why. */
export const LEFT_OUT: Record<string, string> = {
  'POST /api/webhooks/[id]/test': 'sends a message of no record to an address outside',
  [`POST ${ENTITY}/distribution`]: 'moves the table of an entity; answers with where it is',
  [`PUT ${ENTITY}/events`]: 'changes a definition; answers with the words of its plan',
  'POST /api/model/apply': 'changes definitions; what it would do, the plan says',
  'GET /api/plugins/history/[id]/events':
    'a stream that ends with the install, of what its report has',
  'POST /api/plugins/history/[id]/cancel': 'of an install that is running',
  'GET /api/plugins/index': 'lists what another server has; reads no record',
  'POST /api/plugins/install/index':
    'plans and installs as an archive that is sent, once it has arrived from another server',
  'POST /api/entities/definition-from-file': 'looks at the file alone, and at no record',
  'GET /schemas/[name]': 'files that are the same for all',
}

/** Those of the routes that guests may use, for the most part. */
export const RECORD_STORIES: readonly Story[] = [
  ...[searchByBody, searchByBody, searchByUrl, cursors, groups, relatedRecords, count, columns],
  readRecord,
  ...[createRecord, createMany, changeByKeys, changeRecord, deleteRecord, editBatch, deleteBatch],
]

/** The more telling ones are told more often. */
const OFTEN = [
  relatedRecords,
  searchByBody,
  searchByBody,
  searchByUrl,
  exportFile,
  readRecord,
  createRecord,
]

export const ALL_STORIES: readonly Story[] = [
  ...new Set(Object.values(STORIES).flat()),
  ...OFTEN,
  plainRequest,
]
