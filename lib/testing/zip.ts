import { deflateRawSync } from 'node:zlib'
import { crc32 } from '@/lib/values/crc32'

type Header = {
  name: string | Uint8Array
  host: number
  flags: number
  method: number
  crc: number
  packedBytes: number
  bytes: number
  extra: Uint8Array
  attributes: number
  disk: number
  /** Of the local header. */
  offset: number
}

type Member = {
  name: string | Uint8Array
  content?: string | Uint8Array
  /** Written instead of the packed content. */
  packed?: Uint8Array
  method?: 0 | 8
  flags?: number
  host?: number
  attributes?: number
  /** The false values that each header declares. */
  central?: Partial<Header>
  local?: Partial<Header>
  /** Written between this entry and the next. */
  after?: Uint8Array
  /** Omitted from the central directory, or from the archive's body. */
  only?: 'central' | 'local'
}

type Options = {
  before?: Uint8Array
  comment?: string | Uint8Array
  trailing?: Uint8Array
  count?: number
  disk?: number
  /** Zip64 records; the classic fields are all ones, or have the same values. */
  zip64?: 'marked' | 'beside'
  zip64Count?: number
  /** Between the directory and its zip64 record. */
  gap?: Uint8Array
}

const NOTHING = new Uint8Array()

/** A ZIP written field by field, so that every field can be false. */
export function zip(members: Member[], options: Options = {}): Uint8Array {
  const body: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  const append = (...chunks: Uint8Array[]) => {
    body.push(...chunks)
    for (const { length } of chunks) offset += length
  }
  append(options.before ?? NOTHING)
  for (const member of members) {
    const packed = pack(member)
    const header = headerOf(member, packed, offset)
    if (member.only !== 'local') directory.push(centralHeader({ ...header, ...member.central }))
    if (member.only === 'central') continue
    append(localHeader({ ...header, ...member.local }), packed, member.after ?? NOTHING)
  }
  const central = join(...directory)
  const end = endRecords(options, directory.length, central.length, offset)
  return join(...body, central, end, options.trailing ?? NOTHING)
}

/** A data descriptor of 12, 16, 20 or 24 bytes. */
export function descriptor(content: string, length: 12 | 16 | 20 | 24, method: 0 | 8 = 8) {
  const packedBytes = pack({ name: '', content, method }).length
  const size = (value: number) => (length >= 20 ? u64(value) : u32(value))
  const signature = length % 8 === 0 ? u32(0x08074b50) : NOTHING
  return join(
    signature,
    u32(crc32(toBytes(content))),
    size(packedBytes),
    size(toBytes(content).length),
  )
}

/** One extra field. */
export const extraField = (id: number, ...values: Uint8Array[]) =>
  join(u16(id), u16(join(...values).length), ...values)

const u16 = (value: number) => Uint8Array.of(value, value >>> 8)
export const u32 = (value: number) => join(u16(value), u16(value >>> 16))
export const u64 = (value: number) => join(u32(value), u32(Math.floor(value / 2 ** 32)))
export const join = (...chunks: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks))

const toBytes = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text)

function pack({ content = '', packed, method = 8 }: Member): Uint8Array {
  if (packed) return packed
  const bytes = toBytes(content)
  return method === 8 && bytes.length > 0 ? deflateRawSync(bytes) : bytes
}

const headerOf = (member: Member, packed: Uint8Array, offset: number): Header => ({
  name: member.name,
  host: member.host ?? 3,
  flags: member.flags ?? 0x800,
  method: member.method ?? 8,
  crc: crc32(toBytes(member.content ?? '')),
  packedBytes: packed.length,
  bytes: toBytes(member.content ?? '').length,
  extra: NOTHING,
  attributes: member.attributes ?? 0,
  disk: 0,
  offset,
})

const shared = ({ flags, method, crc, packedBytes, bytes, name, extra }: Header) =>
  join(
    ...[20, flags, method, 0, 0x5a21].map(u16),
    ...[crc, packedBytes, bytes].map(u32),
    ...[toBytes(name).length, extra.length].map(u16),
  )

const localHeader = (header: Header) =>
  join(u32(0x04034b50), shared(header), toBytes(header.name), header.extra)

const centralHeader = (header: Header) =>
  join(
    u32(0x02014b50),
    Uint8Array.of(20, header.host),
    shared(header),
    ...[0, header.disk, 0].map(u16),
    ...[header.attributes, header.offset].map(u32),
    toBytes(header.name),
    header.extra,
  )

function endRecords(options: Options, entries: number, size: number, offset: number) {
  const { disk = 0, zip64, zip64Count = entries } = options
  const count = options.count ?? entries
  const classic = zip64 === 'marked' ? [0xffff, 0xffff, -1, -1] : [count, count, size, offset]
  const [here, all, bytes, start] = classic as [number, number, number, number]
  const comment = toBytes(options.comment ?? '')
  return join(
    zip64 ? zip64Records(zip64Count, size, offset, options.gap ?? NOTHING) : NOTHING,
    u32(0x06054b50),
    ...[disk, disk, here, all].map(u16),
    ...[bytes, start].map(u32),
    u16(comment.length),
    comment,
  )
}

const zip64Records = (count: number, size: number, offset: number, gap: Uint8Array) =>
  join(
    gap,
    ...[u32(0x06064b50), u64(44), u16(45), u16(45), u32(0), u32(0)],
    ...[count, count, size, offset].map(u64),
    ...[u32(0x07064b50), u32(0), u64(offset + size + gap.length), u32(1)],
  )
