import { AppError } from '@/lib/errors'
import { damaged } from './names'

/** The position of the central directory: `[directoryOffset, directoryEnd)` of the archive's bytes. */
export type EndRecord = {
  entryCount: number
  directoryOffset: number
  directoryEnd: number
}

type Fields = {
  disk: number
  directoryDisk: number
  countOnDisk: number
  count: number
  size: number
  offset: number
}

const END = 0x06054b50
const LOCATOR_64 = 0x07064b50
const END_64 = 0x06064b50
const LOCAL_HEADER = 0x04034b50
const END_BYTES = 22
const LOCATOR_BYTES = 20
const END_64_BYTES = 56

/**
 * Reads the end record of a ZIP (APPNOTE 4.3.16), or its zip64 form (4.3.14, 4.3.15) where the
 * classic fields do not lead to the directory. Throws `invalid_input` unless directory, records and
 * comment follow each other without a gap to the very last byte: readers that disagree about where
 * an archive ends disagree about what is in it. The view may begin at the byte `from` of the archive.
 */
export function readEndRecord(view: DataView, from = 0): EndRecord {
  const at = findEnd(view)
  const classic = readClassic(view, at)
  if (!isZip64(view, at, from, classic)) {
    checkOneDisk(classic)
    if (classic.offset + classic.size !== from + at) throw strayData()
    return toEndRecord(classic, from + at)
  }
  const recordAt = findZip64Record(view, at - LOCATOR_BYTES, from)
  const fields = readZip64(view, recordAt)
  checkOneDisk(fields)
  if (!agree(classic, fields)) throw damaged('its two end records contradict each other')
  if (fields.offset + fields.size !== from + recordAt) throw strayData()
  return toEndRecord(fields, from + recordAt)
}

// The last signature, as jszip and others use it: a second one in the comment would
// make two archives of one file.
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 4; at >= 0 && at >= view.byteLength - END_BYTES - 0xffff; at--) {
    if (view.getUint32(at, true) !== END) continue
    const complete = at + END_BYTES <= view.byteLength
    if (complete && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at
    throw strayData()
  }
  const begun = view.byteLength >= 4 && view.getUint32(0, true) === LOCAL_HEADER
  if (begun) throw damaged('its end is missing, so it was probably cut short')
  throw new AppError('invalid_input', 'The file is not a ZIP archive; choose a .zip file')
}

const readClassic = (view: DataView, at: number): Fields => ({
  disk: view.getUint16(at + 4, true),
  directoryDisk: view.getUint16(at + 6, true),
  countOnDisk: view.getUint16(at + 8, true),
  count: view.getUint16(at + 10, true),
  size: view.getUint32(at + 12, true),
  offset: view.getUint32(at + 16, true),
})

// Not by the 0xFFFFFFFF marks alone: Info-ZIP also writes zip64 records next to plain values.
const isZip64 = (view: DataView, at: number, from: number, { offset, size }: Fields) =>
  offset + size !== from + at &&
  at >= LOCATOR_BYTES &&
  view.getUint32(at - LOCATOR_BYTES, true) === LOCATOR_64

function findZip64Record(view: DataView, locatorAt: number, from: number): number {
  if (view.getUint32(locatorAt + 4, true) !== 0 || view.getUint32(locatorAt + 16, true) > 1)
    throw multiDisk()
  const at = Number(view.getBigUint64(locatorAt + 8, true)) - from
  if (at < 0 || at + END_64_BYTES > locatorAt || view.getUint32(at, true) !== END_64)
    throw damaged('its zip64 end record is not where it should be')
  if (at + 12 + Number(view.getBigUint64(at + 4, true)) !== locatorAt) throw strayData()
  return at
}

const readZip64 = (view: DataView, at: number): Fields => ({
  disk: view.getUint32(at + 16, true),
  directoryDisk: view.getUint32(at + 20, true),
  countOnDisk: Number(view.getBigUint64(at + 24, true)),
  count: Number(view.getBigUint64(at + 32, true)),
  size: Number(view.getBigUint64(at + 40, true)),
  offset: Number(view.getBigUint64(at + 48, true)),
})

function checkOneDisk({ disk, directoryDisk, countOnDisk, count }: Fields): void {
  if (disk !== 0 || directoryDisk !== 0 || countOnDisk !== count) throw multiDisk()
}

/** A classic field refers to zip64 (all bits set), or must have the same value. */
const agree = (classic: Fields, zip64: Fields) =>
  [
    [classic.disk, zip64.disk, 0xffff],
    [classic.directoryDisk, zip64.directoryDisk, 0xffff],
    [classic.countOnDisk, zip64.countOnDisk, 0xffff],
    [classic.count, zip64.count, 0xffff],
    [classic.size, zip64.size, 0xffffffff],
    [classic.offset, zip64.offset, 0xffffffff],
  ].every(([short, long, mark]) => short === long || short === mark)

const toEndRecord = ({ count, offset }: Fields, directoryEnd: number) => ({
  entryCount: count,
  directoryOffset: offset,
  directoryEnd,
})

const multiDisk = () =>
  new AppError(
    'invalid_input',
    'The archive is one part of several (multi-disk); pack it again as a single file',
  )

const strayData = () =>
  new AppError(
    'invalid_input',
    'The archive has data before, after or between its parts (self-extracting, joined or cut short?); pack it again as a plain ZIP',
  )
