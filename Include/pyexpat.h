/* expat's functions through a capsule of the pyexpat module, for modules that do not link
   to expat. Not part of Python.h; include expat.h first. */
#ifndef Py_PYEXPAT_H
#define Py_PYEXPAT_H

#define PyExpat_CAPSULE_NAME "pyexpat.expat_CAPI"
#define PyExpat_CAPI_MAGIC   "pyexpat.expat_CAPI 1.1"

struct PyExpat_CAPI {
    char *magic;            /* PyExpat_CAPI_MAGIC; otherwise it is another structure */
    int size;               /* of the structure that the module was built with */
    int MAJOR_VERSION;      /* expat's */
    int MINOR_VERSION;
    int MICRO_VERSION;

    /* Each is the XML_ function of the same name. */
    const XML_LChar *(*ErrorString)(enum XML_Error code);
    enum XML_Error (*GetErrorCode)(XML_Parser parser);
    XML_Size (*GetErrorColumnNumber)(XML_Parser parser);
    XML_Size (*GetErrorLineNumber)(XML_Parser parser);
    enum XML_Status (*Parse)(XML_Parser parser, const char *s, int len, int is_final);
    XML_Parser (*ParserCreate_MM)(const XML_Char *encoding,
                                  const XML_Memory_Handling_Suite *memory,
                                  const XML_Char *separator);
    void (*ParserFree)(XML_Parser parser);
    void (*SetCharacterDataHandler)(XML_Parser parser, XML_CharacterDataHandler handler);
    void (*SetCommentHandler)(XML_Parser parser, XML_CommentHandler handler);
    void (*SetDefaultHandlerExpand)(XML_Parser parser, XML_DefaultHandler handler);
    void (*SetElementHandler)(XML_Parser parser, XML_StartElementHandler start,
                              XML_EndElementHandler end);
    void (*SetNamespaceDeclHandler)(XML_Parser parser, XML_StartNamespaceDeclHandler start,
                                    XML_EndNamespaceDeclHandler end);
    void (*SetProcessingInstructionHandler)(XML_Parser parser,
                                            XML_ProcessingInstructionHandler handler);
    void (*SetUnknownEncodingHandler)(XML_Parser parser, XML_UnknownEncodingHandler handler,
                                      void *data);
    void (*SetUserData)(XML_Parser parser, void *data);
    void (*SetStartDoctypeDeclHandler)(XML_Parser parser, XML_StartDoctypeDeclHandler start);
    enum XML_Status (*SetEncoding)(XML_Parser parser, const XML_Char *encoding);
    int (*DefaultUnknownEncodingHandler)(void *data, const XML_Char *name,
                                         XML_Encoding *info);
    int (*SetHashSalt)(XML_Parser parser, unsigned long hash_salt);  /* or NULL */
};
#endif
