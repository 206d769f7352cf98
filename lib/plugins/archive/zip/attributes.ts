import { refused } from './refusals'

const UNIX_HOSTS = [3, 19]
/** MS-DOS, NTFS, VFAT. */
export const DOS_HOSTS = [0, 10, 14]
/** File types in the upper four bits of a Unix mode; 0 if the tool wrote none. */
const NONE = 0
const FOLDER = 4
const FILE = 8
const LINK = 10
/** Written by Info-ZIP for content from a pipe. */
const PIPE = 1
const DOS_FOLDER = 0x10
const DOS_LINK = 0x400

/**
 * Throws `invalid_input` when an entry's attributes mark it as a link or a device, or as a folder where
 * its name marks a file. (jszip would drop the content of a file with a folder's attributes.)
 */
export function checkAttributes(entry: {
  path: string
  folder: boolean
  /** The operating system of the attributes, APPNOTE 4.4.2. */
  host: number
  attributes: number
}): void {
  const { path, folder, host, attributes } = entry
  const type = attributes >>> 28
  if (type === LINK || (DOS_HOSTS.includes(host) && attributes & DOS_LINK))
    throw refused(path, 'is a symbolic link; put the file itself in the archive')
  const expected = folder ? [NONE, FOLDER] : [NONE, FILE, PIPE]
  const wrongType = UNIX_HOSTS.includes(host) && !expected.includes(type)
  if (wrongType || (!folder && attributes & DOS_FOLDER))
    throw refused(
      path,
      'is not marked as the plain file or folder that its name says; pack it again',
    )
}
