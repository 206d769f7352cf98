import * as record from '../../entities/[entityName]/[id]/route'
import * as batch from '../../entities/[entityName]/batch/route'
import * as records from '../../entities/[entityName]/route'
import { testNotFoundElsewhere } from '../testing/uninstalled-elsewhere'

testNotFoundElsewhere([
  ['a new record', records.POST, 'POST', '', { title: 'x' }],
  ['new records', batch.POST, 'POST', '/batch', [{ title: 'x' }]],
  ['a change', record.PATCH, 'PATCH', '/1', { title: 'x' }],
])
