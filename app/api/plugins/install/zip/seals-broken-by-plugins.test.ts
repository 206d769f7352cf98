import { pluginFiles } from '@/lib/testing/archive'
import { testBrokenSeals } from '../../testing/broken-seals'
import { install } from '../../testing/plugin-api'
import { deps, entity, property, SECOND } from '../../testing/sealed-plans'

testBrokenSeals([
  [
    'another plugin changed a definition',
    () =>
      install(
        deps,
        pluginFiles(entity('Genre', [property('name'), property('note')]), {
          id: 'com.example.genres',
        }),
      ),
    /the schema "Genre" changed/,
  ],
  [
    'it was installed in the meantime',
    () => install(deps, SECOND),
    /the plugin "com.example.shop" was installed/,
  ],
])
