/**
 * The smallest possible Exif (a TIFF header with one entry), with the orientation of the image
 * only: `orientation` is 1 to 8, Exif 2.32 §4.6.4. It replaces the whole Exif of the file.
 */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4) // position of the only directory
  tiff.writeUInt16LE(1, 8) // its entries
  tiff.writeUInt16LE(0x0112, 10) // Orientation
  tiff.writeUInt16LE(3, 12) // SHORT
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}
