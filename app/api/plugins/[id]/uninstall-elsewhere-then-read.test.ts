import * as record from '../../entities/[entityName]/[id]/route'
import * as count from '../../entities/[entityName]/count/route'
import * as records from '../../entities/[entityName]/route'
import * as search from '../../entities/[entityName]/search/route'
import { testNotFoundElsewhere } from '../testing/uninstalled-elsewhere'

testNotFoundElsewhere([
  ['a list', records.GET, 'GET', '', undefined],
  ['a search', search.POST, 'POST', '/search', {}],
  ['a count', count.GET, 'GET', '/count', undefined],
  ['a record', record.GET, 'GET', '/1', undefined],
])
