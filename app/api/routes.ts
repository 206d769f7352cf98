import type { Routes } from '@/lib/openapi/api-document'
import * as notFound from './[[...path]]/route'
import * as apiKeysIdRotate from './api-keys/[id]/rotate/route'
import * as apiKeysId from './api-keys/[id]/route'
import * as apiKeys from './api-keys/route'
import * as authNextauth from './auth/[...nextauth]/route'
import * as authActivateAccount from './auth/activate-account/route'
import * as authForgetPassword from './auth/forget-password/route'
import * as authOidcProviderLogout from './auth/oidc/[provider]/logout/route'
import * as authOidcProvider from './auth/oidc/[provider]/route'
import * as authPasskey from './auth/passkey/route'
import * as authRegisterConfirm from './auth/register/confirm/route'
import * as authRegister from './auth/register/route'
import * as authResetPassword from './auth/reset-password/route'
import * as authRestore from './auth/restore/route'
import * as authSetup from './auth/setup/route'
import * as backup from './backup/route'
import * as changes from './changes/route'
import * as entitiesEntityNameIdCommentsCommentId from './entities/[entityName]/[id]/comments/[commentId]/route'
import * as entitiesEntityNameIdComments from './entities/[entityName]/[id]/comments/route'
import * as entitiesEntityNameIdHistoryVersionRestore from './entities/[entityName]/[id]/history/[version]/restore/route'
import * as entitiesEntityNameIdHistory from './entities/[entityName]/[id]/history/route'
import * as entitiesEntityNameId from './entities/[entityName]/[id]/route'
import * as entitiesEntityNameAdvice from './entities/[entityName]/advice/route'
import * as entitiesEntityNameBatch from './entities/[entityName]/batch/route'
import * as entitiesEntityNameChanges from './entities/[entityName]/changes/route'
import * as entitiesEntityNameColumns from './entities/[entityName]/columns/route'
import * as entitiesEntityNameCount from './entities/[entityName]/count/route'
import * as entitiesEntityNameDefinition from './entities/[entityName]/definition/route'
import * as entitiesEntityNameDistribution from './entities/[entityName]/distribution/route'
import * as entitiesEntityNameErasure from './entities/[entityName]/erasure/route'
import * as entitiesEntityNameEvents from './entities/[entityName]/events/route'
import * as entitiesEntityNameExport from './entities/[entityName]/export/route'
import * as entitiesEntityNameExports from './entities/[entityName]/exports/route'
import * as entitiesEntityNameImportPreview from './entities/[entityName]/import/preview/route'
import * as entitiesEntityNameImport from './entities/[entityName]/import/route'
import * as entitiesEntityNameIndexesName from './entities/[entityName]/indexes/[name]/route'
import * as entitiesEntityNameIndexes from './entities/[entityName]/indexes/route'
import * as entitiesEntityName from './entities/[entityName]/route'
import * as entitiesEntityNameSearch from './entities/[entityName]/search/route'
import * as entitiesDefinitionFromFile from './entities/definition-from-file/route'
import * as entities from './entities/route'
import * as exportsIdCancel from './exports/[id]/cancel/route'
import * as exportsIdFile from './exports/[id]/file/route'
import * as exportsId from './exports/[id]/route'
import * as exports from './exports/route'
import * as healthReady from './health/ready/route'
import * as health from './health/route'
import * as imagesFileId from './images/[fileId]/route'
import * as imagesFileIdUses from './images/[fileId]/uses/route'
import * as imagesBatch from './images/batch/route'
import * as imagesFacets from './images/facets/route'
import * as imagesFilesPath from './images/files/[...path]/route'
import * as images from './images/route'
import * as imagesSearch from './images/search/route'
import * as imagesUpload from './images/upload/route'
import * as imagesUploadFromAddress from './images/upload-from-address/route'
import * as importsIdCancel from './imports/[id]/cancel/route'
import * as importsIdRefused from './imports/[id]/refused/route'
import * as importsId from './imports/[id]/route'
import * as imports from './imports/route'
import * as mailsIdRetry from './mails/[id]/retry/route'
import * as mailsId from './mails/[id]/route'
import * as mails from './mails/route'
import * as metrics from './metrics/route'
import * as modelApply from './model/apply/route'
import * as modelDefinitions from './model/definitions/route'
import * as modelLayersPluginExport from './model/layers/[plugin]/export/route'
import * as modelLayers from './model/layers/route'
import * as modelPlan from './model/plan/route'
import { PLUGIN_ROUTES } from './plugin-routes'
import * as policiesId from './policies/[id]/route'
import * as policiesPreview from './policies/preview/route'
import * as policies from './policies/route'
import * as publishersId from './publishers/[id]/route'
import * as publishers from './publishers/route'
import * as records from './records/route'
import * as rights from './rights/route'
import * as rolesName from './roles/[name]/route'
import * as roles from './roles/route'
import { SCIM_ROUTES } from './scim/routes'
import { SERVER_ROUTES } from './servers/routes'
import * as settingsProvidersProviderTest from './settings/providers/[provider]/test/route'
import * as settingsSecondFactor from './settings/second-factor/route'
import * as settingsTestMail from './settings/test-mail/route'
import * as tasks from './tasks/route'
import * as trashBatchIdRecords from './trash/[batchId]/records/route'
import * as trashBatchIdRestore from './trash/[batchId]/restore/route'
import * as trashBatchId from './trash/[batchId]/route'
import * as trash from './trash/route'
import * as typesDTs from './types.d.ts/route'
import * as usersUserIdActivationEmail from './users/[userId]/activation-email/route'
import * as usersUserIdErasure from './users/[userId]/erasure/route'
import * as usersUserIdExport from './users/[userId]/export/route'
import * as usersUserIdIdentitiesIdentityId from './users/[userId]/identities/[identityId]/route'
import * as usersUserIdIdentities from './users/[userId]/identities/route'
import * as usersUserIdRights from './users/[userId]/rights/route'
import * as usersUserId from './users/[userId]/route'
import * as usersUserIdSecondFactors from './users/[userId]/second-factors/route'
import * as usersUserIdSessions from './users/[userId]/sessions/route'
import * as usersInit from './users/init/route'
import { MY_ROUTES } from './users/me/routes'
import * as users from './users/route'
import * as viewsId from './views/[id]/route'
import * as views from './views/route'
import * as webhooksIdDeliveriesDeliveryIdRedeliver from './webhooks/[id]/deliveries/[deliveryId]/redeliver/route'
import * as webhooksIdDeliveries from './webhooks/[id]/deliveries/route'
import * as webhooksIdRedeliver from './webhooks/[id]/redeliver/route'
import * as webhooksIdRotateSecret from './webhooks/[id]/rotate-secret/route'
import * as webhooksId from './webhooks/[id]/route'
import * as webhooksIdTest from './webhooks/[id]/test/route'
import * as webhooksResend from './webhooks/resend/route'
import * as webhooks from './webhooks/route'

/**
 * The routes to document: all except the document itself. A test compares the list with the files.
 */
export const ROUTES: Routes = {
  ...SERVER_ROUTES,
  '/api/[[...path]]': notFound,
  '/api/api-keys': apiKeys,
  '/api/api-keys/[id]': apiKeysId,
  '/api/api-keys/[id]/rotate': apiKeysIdRotate,
  '/api/auth/[...nextauth]': authNextauth,
  '/api/auth/activate-account': authActivateAccount,
  '/api/auth/forget-password': authForgetPassword,
  '/api/auth/oidc/[provider]': authOidcProvider,
  '/api/auth/oidc/[provider]/logout': authOidcProviderLogout,
  '/api/auth/passkey': authPasskey,
  '/api/auth/register': authRegister,
  '/api/auth/register/confirm': authRegisterConfirm,
  '/api/auth/reset-password': authResetPassword,
  '/api/auth/restore': authRestore,
  '/api/auth/setup': authSetup,
  '/api/backup': backup,
  '/api/entities': entities,
  '/api/entities/definition-from-file': entitiesDefinitionFromFile,
  '/api/entities/[entityName]': entitiesEntityName,
  '/api/changes': changes,
  '/api/entities/[entityName]/[id]': entitiesEntityNameId,
  '/api/entities/[entityName]/[id]/comments': entitiesEntityNameIdComments,
  '/api/entities/[entityName]/[id]/comments/[commentId]': entitiesEntityNameIdCommentsCommentId,
  '/api/entities/[entityName]/[id]/history': entitiesEntityNameIdHistory,
  '/api/entities/[entityName]/[id]/history/[version]/restore':
    entitiesEntityNameIdHistoryVersionRestore,
  '/api/entities/[entityName]/advice': entitiesEntityNameAdvice,
  '/api/entities/[entityName]/batch': entitiesEntityNameBatch,
  '/api/entities/[entityName]/changes': entitiesEntityNameChanges,
  '/api/entities/[entityName]/columns': entitiesEntityNameColumns,
  '/api/entities/[entityName]/count': entitiesEntityNameCount,
  '/api/entities/[entityName]/definition': entitiesEntityNameDefinition,
  '/api/entities/[entityName]/distribution': entitiesEntityNameDistribution,
  '/api/entities/[entityName]/erasure': entitiesEntityNameErasure,
  '/api/entities/[entityName]/events': entitiesEntityNameEvents,
  '/api/entities/[entityName]/export': entitiesEntityNameExport,
  '/api/entities/[entityName]/exports': entitiesEntityNameExports,
  '/api/entities/[entityName]/import': entitiesEntityNameImport,
  '/api/entities/[entityName]/import/preview': entitiesEntityNameImportPreview,
  '/api/entities/[entityName]/indexes': entitiesEntityNameIndexes,
  '/api/entities/[entityName]/indexes/[name]': entitiesEntityNameIndexesName,
  '/api/entities/[entityName]/search': entitiesEntityNameSearch,
  '/api/exports': exports,
  '/api/exports/[id]': exportsId,
  '/api/exports/[id]/cancel': exportsIdCancel,
  '/api/exports/[id]/file': exportsIdFile,
  '/api/health': health,
  '/api/health/ready': healthReady,
  '/api/images': images,
  '/api/images/[fileId]': imagesFileId,
  '/api/images/[fileId]/uses': imagesFileIdUses,
  '/api/images/batch': imagesBatch,
  '/api/images/facets': imagesFacets,
  '/api/images/files/[...path]': imagesFilesPath,
  '/api/images/search': imagesSearch,
  '/api/images/upload': imagesUpload,
  '/api/images/upload-from-address': imagesUploadFromAddress,
  '/api/imports': imports,
  '/api/imports/[id]': importsId,
  '/api/imports/[id]/cancel': importsIdCancel,
  '/api/imports/[id]/refused': importsIdRefused,
  '/api/mails': mails,
  '/api/mails/[id]': mailsId,
  '/api/mails/[id]/retry': mailsIdRetry,
  '/api/metrics': metrics,
  '/api/model/apply': modelApply,
  '/api/model/definitions': modelDefinitions,
  '/api/model/layers': modelLayers,
  '/api/model/layers/[plugin]/export': modelLayersPluginExport,
  '/api/model/plan': modelPlan,
  ...PLUGIN_ROUTES,
  '/api/rights': rights,
  '/api/publishers': publishers,
  '/api/publishers/[id]': publishersId,
  '/api/roles': roles,
  '/api/roles/[name]': rolesName,
  '/api/policies': policies,
  '/api/policies/[id]': policiesId,
  '/api/policies/preview': policiesPreview,
  '/api/records': records,
  '/api/settings/providers/[provider]/test': settingsProvidersProviderTest,
  ...SCIM_ROUTES,
  '/api/settings/second-factor': settingsSecondFactor,
  '/api/settings/test-mail': settingsTestMail,
  '/api/tasks': tasks,
  '/api/trash': trash,
  '/api/trash/[batchId]': trashBatchId,
  '/api/trash/[batchId]/records': trashBatchIdRecords,
  '/api/trash/[batchId]/restore': trashBatchIdRestore,
  '/api/types.d.ts': typesDTs,
  '/api/users': users,
  '/api/users/[userId]': usersUserId,
  '/api/users/[userId]/activation-email': usersUserIdActivationEmail,
  '/api/users/[userId]/erasure': usersUserIdErasure,
  '/api/users/[userId]/export': usersUserIdExport,
  '/api/users/[userId]/identities': usersUserIdIdentities,
  '/api/users/[userId]/identities/[identityId]': usersUserIdIdentitiesIdentityId,
  '/api/users/[userId]/rights': usersUserIdRights,
  '/api/users/[userId]/second-factors': usersUserIdSecondFactors,
  '/api/users/[userId]/sessions': usersUserIdSessions,
  '/api/users/init': usersInit,
  ...MY_ROUTES,
  '/api/views': views,
  '/api/views/[id]': viewsId,
  '/api/webhooks': webhooks,
  '/api/webhooks/[id]': webhooksId,
  '/api/webhooks/[id]/deliveries': webhooksIdDeliveries,
  '/api/webhooks/[id]/deliveries/[deliveryId]/redeliver': webhooksIdDeliveriesDeliveryIdRedeliver,
  '/api/webhooks/[id]/redeliver': webhooksIdRedeliver,
  '/api/webhooks/[id]/rotate-secret': webhooksIdRotateSecret,
  '/api/webhooks/[id]/test': webhooksIdTest,
  '/api/webhooks/resend': webhooksResend,
}
