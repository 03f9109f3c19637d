/* Stands where the annotations of heddle stand: the drivers must find it. */
#define HEDDLE_STANDIN_HEADER 1
