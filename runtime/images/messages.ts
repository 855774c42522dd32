/** Tasks of the image processes and their results: plain data that is copied between processes. */

/** The formats that can be read, and in which variants are written. */
export const rasterFormats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;
export type RasterFormat = (typeof rasterFormats)[number];

/** An image above this number of pixels is refused before it is decoded. */
export const maxPixels = 100_000_000;

/** Asks whether an image can be used. */
export interface InspectImageTask {
  readonly kind: 'inspect-image';
  /** Path of the file. */
  readonly file: string;
}

export type ImageReport =
  | { readonly usable: false; readonly reason: string }
  | {
      readonly usable: true;
      /** Size in pixels as people see it: after the orientation that the file names. */
      readonly width: number;
      readonly height: number;
      /** More than one frame. */
      readonly animated: boolean;
      /** Whether variants can be made: all frames together have at most `maxPixels`. */
      readonly scalable: boolean;
      /** A tiny blurred version as a data URL of less than 500 characters. */
      readonly placeholder: string;
    };

/** Asks for variants of an image. */
export interface MakeVariantsTask {
  readonly kind: 'make-variants';
  readonly file: string;
  readonly animated: boolean;
  readonly outputs: readonly ImageOutput[];
}

/** One file to write. */
export interface ImageOutput {
  /** Path of the new file. */
  readonly path: string;
  readonly format: RasterFormat;
  /** Width in pixels; never more than that of the image. */
  readonly width: number;
  /** Set for a crop: the part of the image around a point that has these proportions. */
  readonly crop?: ImageCrop;
}

export interface ImageCrop {
  readonly height: number;
  /** The point, from 0 (left, top) to 1. */
  readonly focusX: number;
  readonly focusY: number;
}

export interface ImageTaskResults {
  'inspect-image': ImageReport;
  /** Sizes of the written files in bytes, in the order of the outputs. */
  'make-variants': readonly number[];
}

export type ImageTask = InspectImageTask | MakeVariantsTask;
