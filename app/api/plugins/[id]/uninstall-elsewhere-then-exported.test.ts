import { expect, test } from 'vitest'
import * as exported from '../../entities/[entityName]/export/route'
import { exportPlugin } from '../testing/export-api'
import { install } from '../testing/plugin-api'
import { SHOP, SHOP_ID } from '../testing/uninstall-api'
import { deps, testNotFoundElsewhere, uninstallElsewhere } from '../testing/uninstalled-elsewhere'

testNotFoundElsewhere([['an export', exported.POST, 'POST', '/export', {}]])

test('so is an export of the plugin', async () => {
  await install(deps, SHOP)
  await uninstallElsewhere()
  expect((await exportPlugin(deps, SHOP_ID)).status).toBe(404)
})
