import { testAccess } from './testing/access'

await testAccess((path) => /^\/api\/(exports|images|imports|tasks|trash|views)/.test(path))
