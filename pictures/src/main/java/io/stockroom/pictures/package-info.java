/**
 * The merchants' pictures. {@link io.stockroom.pictures.Pictures} checks, stores and opens them;
 * {@link io.stockroom.pictures.PicturesServlet} serves them.
 */
@NullMarked
package io.stockroom.pictures;

import org.jspecify.annotations.NullMarked;
