import * as record from '../../entities/[entityName]/[id]/route'
import * as batch from '../../entities/[entityName]/batch/route'
import { testNotFoundElsewhere } from '../testing/uninstalled-elsewhere'

testNotFoundElsewhere([
  ['a deletion', record.DELETE, 'DELETE', '/1', undefined],
  ['a batch deletion', batch.DELETE, 'DELETE', '/batch', { entity: 'Book' }],
  ['a batch deletion into the trash', batch.DELETE, 'DELETE', '/batch?undo=7d', { entity: 'Book' }],
])
