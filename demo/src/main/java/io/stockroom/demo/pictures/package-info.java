/**
 * Product pictures drawn by the server itself: a demonstration catalogue needs pictures that look
 * like a shop's, and must neither ship photographs nor fetch them from somewhere.
 */
@NullMarked
package io.stockroom.demo.pictures;

import org.jspecify.annotations.NullMarked;
