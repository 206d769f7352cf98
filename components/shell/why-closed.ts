import { PERMISSION_WORDS } from '@/components/roles/right-words'
import type { RecordAction } from '@/lib/auth/rights'
import { activeItem } from './nav-items'

const DOING: Record<RecordAction, string> = {
  read: 'read records',
  write: 'create records',
  update: 'change records',
  delete: 'delete records',
}

/** Why a page may not be seen, by its address: the right that it takes, to follow `None of your roles lets you`. */
export function rightBehind(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://page.invalid')
  const [, entity] = /^\/entities\/([^/]+)/.exec(pathname) ?? []
  if (entity && searchParams.has('as')) return 'see records as somebody else does'
  if (/^\/new-entity$|\/definition\/edit$/.test(pathname))
    return small(PERMISSION_WORDS['plugins:install'])
  if (entity) return `read records of ${decoded(entity)}`
  // One role is a page of those who change it.
  if (/^\/roles\/./.test(pathname)) return small(PERMISSION_WORDS['security:manage'])
  const item = activeItem(pathname)
  if (item?.permission) return small(PERMISSION_WORDS[item.permission])
  return item?.action ? `${DOING[item.action]} of any entity` : 'open it'
}

const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
