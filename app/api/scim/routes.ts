import type { Routes } from '@/lib/openapi/api-document'
import * as scimToken from '../scim-token/route'
import * as scimPath from './v2/[[...path]]/route'
import * as scimGroupsId from './v2/Groups/[id]/route'
import * as scimGroups from './v2/Groups/route'
import * as scimResourceTypesId from './v2/ResourceTypes/[id]/route'
import * as scimResourceTypes from './v2/ResourceTypes/route'
import * as scimSchemasId from './v2/Schemas/[id]/route'
import * as scimSchemas from './v2/Schemas/route'
import * as scimServiceProviderConfig from './v2/ServiceProviderConfig/route'
import * as scimUsersId from './v2/Users/[id]/route'
import * as scimUsers from './v2/Users/route'

/** Those of identity providers, and of their token. */
export const SCIM_ROUTES: Routes = {
  '/api/scim-token': scimToken,
  '/api/scim/v2/Groups': scimGroups,
  '/api/scim/v2/Groups/[id]': scimGroupsId,
  '/api/scim/v2/ResourceTypes': scimResourceTypes,
  '/api/scim/v2/ResourceTypes/[id]': scimResourceTypesId,
  '/api/scim/v2/Schemas': scimSchemas,
  '/api/scim/v2/Schemas/[id]': scimSchemasId,
  '/api/scim/v2/ServiceProviderConfig': scimServiceProviderConfig,
  '/api/scim/v2/Users': scimUsers,
  '/api/scim/v2/Users/[id]': scimUsersId,
  '/api/scim/v2/[[...path]]': scimPath,
}
